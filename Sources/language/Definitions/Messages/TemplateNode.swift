import DeviceModel
import Framing

/// A template as it was written: its parts in order, names not yet looked up.
struct TemplateNode {
  indirect enum Kind {
    case literal([UInt8])
    case field(Field)
    /// Numbers that share whole bytes, from the most significant one down.
    case bits([Bits], isLittleEndian: Bool)
    /// A message of Protocol Buffers; nil: its fields are those of the template.
    case protobuf(Field?, [ProtobufField])
    /// A checksum over the message's bytes from the first index up to the second; nil: up to the checksum.
    case checksum(Checksum, from: Int, through: Int?)
    case length(Length)
    case pad(to: Int, with: UInt8)
    case skip(Int)
    case maybe([TemplateNode])
    case conditional(on: String, [TemplateNode])
    case repeated(String, rows: ClosedRange<Int>, [TemplateNode])
  }

  /// A hole that a value fills.
  struct Field {
    /// Its name or, in an inline template, the text of an expression.
    var name: String
    var nameRange: Range<Int>
    /// nil: the value's text form.
    var encoding: FieldEncoding?
    /// The encoding as it was written.
    var type: String
  }

  /// One of the numbers of a `{bits(…)}`.
  struct Bits {
    enum Content {
      case fixed(UInt64)
      case field(Field)
    }

    var count: Int
    var content: Content
  }

  /// `1 power: varint`, `2 names: repeated text`, `3 inner: protobuf(…)`.
  struct ProtobufField {
    var number: UInt64
    var field: Field
    /// The fields of a message.
    var message: [ProtobufField]?
    var isRepeated = false
    var isOptional = false
  }

  /// A number that holds the length of a part.
  struct Length {
    enum Measure: Hashable {
      /// The bytes of the whole message.
      case message
      /// The bytes of a field or of a repeated part.
      case size(of: String)
      /// The rows of a repeated part.
      case count(of: String)
    }

    var measure: Measure
    /// The number that is added to it.
    var adding: Int
    var encoding: FieldEncoding
    /// The field type as it was written.
    var type: String
  }

  var kind: Kind
  /// The literal or hole in the template's text; of a block its first hole.
  var range: Range<Int>
}

extension [TemplateNode] {
  var beginsWithLiteral: Bool { first.map(\.isLiteral) ?? false }
  var endsWithLiteral: Bool { last.map(\.isLiteral) ?? false }
}

extension TemplateNode {
  fileprivate var isLiteral: Bool {
    if case .literal = kind { true } else { false }
  }
}

extension TemplateNode.Length.Measure {
  /// The measured part; nil for the message.
  var target: String? {
    switch self {
    case .message: nil
    case .size(let name), .count(let name): name
    }
  }
}
