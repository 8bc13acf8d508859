/// The fields of a message of Protocol Buffers, by their numbers.
package struct ProtobufLayout: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package var number: UInt64
    package var content: Content
    /// The slot of its rows, if it is repeated or a message; nil among expressions.
    package var group: Int?
    package var isRepeated: Bool
    /// Whether a value of 0 or empty is written, too.
    package var isOptional: Bool

    package init(
      number: UInt64, content: Content, group: Int? = nil, isRepeated: Bool = false, isOptional: Bool = false
    ) {
      (self.number, self.content, self.group) = (number, content, group)
      (self.isRepeated, self.isOptional) = (isRepeated, isOptional)
    }
  }

  package enum Content: Hashable, Sendable {
    /// The value of this slot.
    case value(slot: Int, FieldEncoding)
    case message(ProtobufLayout)
  }

  /// The deepest nesting of messages.
  package static let mostLevels = 4
  /// The greatest number of a field.
  package static let mostNumber = 1 << 29 - 1

  /// By ascending number.
  package let fields: [Field]

  package init(_ fields: [Field]) { self.fields = fields.sorted { $0.number < $1.number } }

  /// All its slots, also those of the messages in it.
  package var slots: [Int] {
    fields.flatMap { field in
      switch field.content {
      case .value(let slot, _): [field.group, slot].compactMap(\.self)
      case .message(let layout): [field.group].compactMap(\.self) + layout.slots
      }
    }
  }
}

extension ProtobufLayout.Field {
  var wireType: ProtobufWireType {
    if case .value(_, let encoding) = content { encoding.wireType ?? .length } else { .length }
  }

  /// Whether the values of a repeated field follow each other without a tag of their own.
  var isPacked: Bool { isRepeated && wireType != .length }
}

/// How the bytes of a field say where it ends.
enum ProtobufWireType: UInt64 {
  case varint = 0
  case fixed64
  case length
  case groupStart, groupEnd
  case fixed32
}

extension FieldEncoding {
  /// How Protocol Buffers carries it; nil: not at all.
  var wireType: ProtobufWireType? {
    switch self {
    case .varint, .boolean: .varint
    case .integer(width: 4, _, bigEndian: false), .float(width: 4, bigEndian: false): .fixed32
    case .integer(width: 8, _, bigEndian: false), .float(width: 8, bigEndian: false): .fixed64
    case .bytes, .text, .mac, .macText, .dec, .hex, .hexBytes: .length
    case .named(_, let encoding): encoding.wireType
    case .integer, .float, .bcd, .bits, .medical: nil
    }
  }

  /// Whether Protocol Buffers carries it.
  package var isInProtobuf: Bool { wireType != nil }

  /// Whether it is the value of an absent field.
  func isZero(_ value: Value) -> Bool {
    switch value {
    case .integer(let number): number == 0
    case .decimal(let number): number.bitPattern == 0
    case .text(let name): name.isEmpty || (try? namedNumbers?.number(named: name)) == 0
    case .bytes(let bytes): bytes.isEmpty
    case .boolean(let flag): !flag
    case .group(let rows): rows.isEmpty
    }
  }
}
