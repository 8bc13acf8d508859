/// Why a text is not JSON.
package struct JSONMistake: Error, Hashable, Sendable {
  /// The offset of the mistake, bytes.
  package var offset: Int
  /// What is wrong there, as in `a value is missing`.
  package var reason: String
}

extension JSONValue {
  /// How deep arrays and objects may be in each other: a parser of any depth could be made to run out of stack.
  package static let deepest = 64

  /// Reads a text, which is one value with space around it (RFC 8259, 2).
  ///
  /// An object may not have two members of one name, and text must be UTF-8 without lone surrogates.
  package init(parsing text: [UInt8]) throws(JSONMistake) {
    var parser = JSONParser(text)
    self = try parser.document()
  }
}

/// Reads JSON of people and programs that may be wrong.
private struct JSONParser {
  private let text: [UInt8]
  private var place = 0
  private var depth = 0

  init(_ text: [UInt8]) { self.text = text }

  mutating func document() throws(JSONMistake) -> JSONValue {
    let value = try value()
    skipSpace()
    if place < text.count { throw mistake("there is more text after the value") }
    return value
  }

  private mutating func value() throws(JSONMistake) -> JSONValue {
    skipSpace()
    guard let first = peek else { throw mistake("the text ends where a value is missing") }
    switch first {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONMistake) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONMistake) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      for (word, value) in Self.words where text[place...].starts(with: word) {
        place += word.count
        return value
      }
      throw mistake("this is not a value")
    }
  }

  private static let words: [([UInt8], JSONValue)] = [
    (Array("true".utf8), .boolean(true)), (Array("false".utf8), .boolean(false)), (Array("null".utf8), .null),
  ]

  private mutating func nested(
    _ read: (inout Self) throws(JSONMistake) -> JSONValue
  ) throws(JSONMistake) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONValue.deepest else {
      throw mistake("more than \(JSONValue.deepest) arrays and objects are in each other")
    }
    return try read(&self)
  }
}

// MARK: Arrays and objects

extension JSONParser {
  private mutating func array() throws(JSONMistake) -> JSONValue {
    place += 1
    if take(UInt8(ascii: "]")) { return .array([]) }
    var elements: [JSONValue] = []
    repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"), "',' or ']' is missing")
    return .array(elements)
  }

  private mutating func object() throws(JSONMistake) -> JSONValue {
    place += 1
    if take(UInt8(ascii: "}")) { return .object([]) }
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw mistake("the name of a member is missing") }
      let start = place
      let name = try string()
      guard names.insert(name).inserted else {
        place = start
        throw mistake("the object has two members of this name")
      }
      try expect(UInt8(ascii: ":"), "':' is missing")
      members.append(JSONValue.Member(name: name, value: try value()))
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"), "',' or '}' is missing")
    return .object(members)
  }
}

// MARK: Text

extension JSONParser {
  private mutating func string() throws(JSONMistake) -> String {
    let start = place
    place += 1
    var bytes: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        bytes += String(try escape()).utf8
      } else {
        guard byte >= 0x20 else { throw mistake("text has a control character that is not escaped") }
        bytes.append(byte)
        place += 1
      }
    }
    guard peek != nil else {
      place = start
      throw mistake("text has no closing quote")
    }
    place += 1
    guard let string = String(validating: bytes, as: UTF8.self) else {
      place = start
      throw mistake("text is not UTF-8")
    }
    return string
  }

  private mutating func escape() throws(JSONMistake) -> Unicode.Scalar {
    let start = place
    place += 1
    guard let letter = peek else { throw mistake("text has no closing quote") }
    place += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      if let scalar = unicode() { return scalar }
      place = start
      throw mistake("'\\u' needs four hex digits, and surrogates come in pairs")
    default:
      place = start
      throw mistake("text has an unknown escape")
    }
  }

  /// The scalar of four digits, or of two surrogates (RFC 8259, 7).
  private mutating func unicode() -> Unicode.Scalar? {
    guard let first = unit() else { return nil }
    guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
    guard text[place...].starts(with: "\\u".utf8) else { return nil }
    place += 2
    guard let second = unit(), (0xDC00...0xDFFF).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func unit() -> UInt32? {
    let digits = text[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Self.isHexDigit($0) }) else { return nil }
    place += 4
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"):
      true
    default: false
    }
  }
}

// MARK: Numbers

extension JSONParser {
  private mutating func number() throws(JSONMistake) -> JSONValue {
    let start = place
    _ = takeNow(UInt8(ascii: "-"))
    let isZero = peek == UInt8(ascii: "0")
    let count = digits()
    var isWhole = true
    var isNumber = count > 0 && (!isZero || count == 1)
    if takeNow(UInt8(ascii: ".")) {
      isWhole = false
      if digits() == 0 { isNumber = false }
    }
    if takeNow(UInt8(ascii: "e")) || takeNow(UInt8(ascii: "E")) {
      isWhole = false
      _ = takeNow(UInt8(ascii: "+")) || takeNow(UInt8(ascii: "-"))
      if digits() == 0 { isNumber = false }
    }
    let digits = String(decoding: text[start..<place], as: UTF8.self)
    if isNumber, isWhole, let number = Int(digits) { return .integer(number) }
    if isNumber, let number = Double(digits), number.isFinite { return .decimal(number) }
    place = start
    throw mistake(isNumber ? "the number is too large" : "this is not a number")
  }

  private mutating func digits() -> Int {
    let start = place
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
    return place - start
  }
}

// MARK: Bytes

extension JSONParser {
  private var peek: UInt8? { place < text.count ? text[place] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
  }

  private mutating func takeNow(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    place += 1
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    return takeNow(byte)
  }

  private mutating func expect(_ byte: UInt8, _ reason: String) throws(JSONMistake) {
    guard take(byte) else { throw mistake(reason) }
  }

  private func mistake(_ reason: String) -> JSONMistake { JSONMistake(offset: place, reason: reason) }
}
