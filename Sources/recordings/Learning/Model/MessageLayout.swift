import DeviceModel
import Framing

/// Where the fields of a message are, and how the language writes them.
struct MessageLayout: Hashable, Sendable {
  /// A place in a frame, in bytes from its start, or back from its end if a part of variable size is before it.
  enum Position: Hashable, Sendable {
    case fromStart(Int)
    case fromEnd(Int)
    /// A word of a text, by its place among the words and what is between them.
    case token(Int)
  }

  struct Place: Hashable, Sendable {
    var name: String
    var type: FieldType
    var position: Position
    /// Bytes; nil: up to the `trailing` bytes at the end.
    var width: Int?
    var trailing = 0
    var meaning: LearntField.Meaning
  }

  /// The fields, in order.
  var places: [Place] = []

  init(_ message: LearntMessage, isSent: Bool, samples: [[UInt8]]) {
    let widths = message.parts.map(\.width)
    var (offset, isAfterVariable) = (0, false)
    for (index, part) in message.parts.enumerated() {
      let rest = widths[(index + 1)...].reduce(0) { $0 &+ ($1 ?? 0) }
      if case .field(let field) = part {
        let position = isAfterVariable ? Position.fromEnd(rest &+ (field.width ?? 0)) : .fromStart(offset)
        var place = Place(
          name: field.name, type: .bytes(field.width), position: position, width: field.width, trailing: rest,
          meaning: field.meaning)
        if let token = field.meaning.token { place.position = .token(token) }
        place.type = FieldType(field, isSent: isSent, samples: samples.map(place.bytes))
        places.append(place)
      }
      if let width = widths[index] { offset &+= width } else { isAfterVariable = true }
    }
  }
}

extension MessageLayout.Place {
  /// Of the bytes after it.
  var checksum: Checksum? { if case .checksum(let checksum) = meaning { checksum } else { nil } }

  /// Its bytes in a frame; empty if the frame is too short.
  func bytes(in frame: [UInt8]) -> [UInt8] {
    let start: Int
    switch position {
    case .fromStart(let offset): start = offset
    case .fromEnd(let distance): start = frame.count - distance
    case .token(let index):
      let tokens = TextTokens(frame).tokens
      return tokens.indices.contains(index) ? Array(tokens[index]) : []
    }
    let end = width.map { start + $0 } ?? frame.count - trailing
    guard start >= 0, start <= end, end <= frame.count else { return [] }
    return Array(frame[start..<end])
  }
}

extension LearntField.Meaning {
  /// The place of a word in a text.
  fileprivate var token: Int? {
    switch self {
    case .digits(let token, _), .word(let token): token
    default: nil
    }
  }
}

extension LearntMessage.Part {
  /// Its size in bytes; nil: it varies.
  var width: Int? {
    switch self {
    case .constant(let bytes): bytes.count
    case .field(let field): field.width
    case .size(let width, _, _): width
    case .checksum(let checksum, _): checksum.width
    }
  }
}

/// The type of a field in the language.
enum FieldType: Hashable, Sendable {
  case integer(width: Int, ByteOrder, isSigned: Bool)
  /// Of 32 bits.
  case float(ByteOrder)
  /// Padded with zero bytes; nil: any size.
  case text(Int?)
  /// Letters and digits in a text.
  case word
  case bytes(Int?)
  /// A number in so many bytes of digits; nil: in a text, without zeros before it.
  case digits(NumberForm.Digits, Int?)

  /// - Parameter isSent: whether the device sends it. A text that a central sends may have any bytes.
  init(_ field: LearntField, isSent: Bool, samples: [[UInt8]]) {
    let width = field.width ?? 0
    switch field.meaning {
    case .number(let order, let isSigned): self = .number(width, order, isSigned)
    case .float(let order): self = .float(order)
    case .digits(_, let count): self = .digits(.decimal, count)
    case .word: self = .word
    case .counter(let order, _), .clock(let order, _), .unixTime(let order):
      self = .number(width, order, false)
    case .checksum(let checksum): self = .number(width, checksum.byteOrder, false)
    case .text where isSent && samples.allSatisfy({ Self.isText(field.width == nil ? $0 : $0.trimmed) }):
      self = .text(field.width)
    case .bytes, .enumeration, .calendar, .text:
      self = width == 1 ? .number(1, .littleEndian, false) : .bytes(field.width)
    }
  }

  private static func number(_ width: Int, _ order: ByteOrder, _ isSigned: Bool) -> Self {
    [1, 2, 3, 4, 6].contains(width) ? .integer(width: width, order, isSigned: isSigned) : .bytes(width)
  }

  /// Whether the language reads the bytes as a text and builds the same bytes of it, and a cell of a CSV file can have it.
  private static func isText(_ text: [UInt8]) -> Bool {
    guard text.first != 0x20, text.last != 0x20, text.first != UInt8(ascii: "#") else { return false }
    return text.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: ",") }
  }

  /// As in a template.
  var name: String {
    switch self {
    case .integer(let width, let order, let isSigned):
      "\(isSigned ? "i" : "u")\(width * 8)" + (width > 1 ? order.rawValue : "")
    case .float(let order): "f32\(order.rawValue)"
    case .word: "text"
    case .text(let width): width.map { "text(\($0))" } ?? "text"
    case .bytes(let width): width.map { "bytes(\($0))" } ?? "bytes"
    case .digits(_, nil): "dec(unsigned)"
    case .digits(.bcd, let width?): "bcd(\(width))"
    case .digits(.decimal, let width?): "dec(\(width), unsigned)"
    case .digits(.hexadecimal(let isLower), let width?): "hex(\(width)\(isLower ? ", lower" : ""))"
    }
  }

  /// The type of a variable or a column.
  var valueType: ValueType {
    switch self {
    case .integer, .digits: .integer
    case .float: .decimal
    case .text, .word: .text
    case .bytes: .bytes
    }
  }

  /// Bytes; 0: they vary.
  var width: Int {
    switch self {
    case .integer(let width, _, _): width
    case .text(let width), .bytes(let width), .digits(_, let width): width ?? 0
    case .word: 0
    case .float: 4
    }
  }
}

extension [UInt8] {
  /// Without the zero bytes at the end.
  var trimmed: [UInt8] { Array(reversed().drop { $0 == 0 }.reversed()) }
}

extension Float {
  /// With the fewest digits that are this number, as the language reads it.
  fileprivate var decimal: Double { Double(description) ?? Double(self) }
}

extension FieldType {
  /// The value of a field with these bytes.
  func value(of bytes: [UInt8]) -> Value {
    switch self {
    case .integer(_, let order, let isSigned): .integer(order.number(bytes, isSigned: isSigned))
    case .float(let order):
      .decimal(Float(bitPattern: UInt32(truncatingIfNeeded: order.number(bytes))).decimal)
    case .word: .text(String(decoding: bytes, as: UTF8.self))
    case .text: .text(String(decoding: bytes.trimmed, as: UTF8.self))
    case .bytes: .bytes(bytes)
    case .digits(let digits, let width):
      .integer(NumberForm.digits(digits, width ?? bytes.count).number(in: bytes[...]) ?? 0)
    }
  }

  /// The bytes of a field with this number; nil: it does not fit, or the field is no number.
  func bytes(of number: Int64) -> [UInt8]? {
    switch self {
    case .integer(let width, let order, _): NumberForm.integer(width, order).bytes(of: number)
    case .digits(let digits, let width?): NumberForm.digits(digits, width).bytes(of: number)
    case .float, .digits, .word, .text, .bytes: nil
    }
  }
}
