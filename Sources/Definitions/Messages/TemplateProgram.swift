import Framing

/// A template as instructions: one sequence that recognises a frame and builds one.
struct TemplateProgram: Hashable, Sendable {
  enum Instruction: Hashable, Sendable {
    case literal([UInt8], ignoringCase: Bool)
    case field(Int, FieldEncoding)
    /// A value as people write it; only builds.
    case written(Int, asText: Bool)
    case bits(BitLayout)
    /// Over the message's bytes from the first index up to the second; nil: up to the checksum.
    case checksum(Checksum, from: Int, through: Int?)
    case length(Length)
    case pad(to: Int, with: UInt8)
    case skip(Int)
    /// The part up to `otherwise` is there when its slots have values, or when its bytes are there.
    case maybe([Int], otherwise: Int)
    /// The part up to `otherwise` is there when this slot is not 0.
    case conditional(Int, otherwise: Int)
    case repeatBegin(Int)
    /// One more row, or on at `done`.
    case row(Int, ClosedRange<Int>, done: Int)
    case rowEnd(row: Int)
    case repeatDone(Int)
  }

  /// Where a value belongs: every field, column and repeated part has a slot.
  struct Slot: Hashable, Sendable {
    /// The index of the field, or of the group that the column is in.
    var field: Int
    var column: Int?
    /// Where the matcher remembers its size, count or number; nil when nothing asks for it.
    var register: Int?
  }

  struct Length: Hashable, Sendable {
    enum Measure: Hashable, Sendable {
      case message
      case size(Int)
      case count(Int)
    }

    var measure: Measure
    var adding: Int
    var encoding: FieldEncoding
  }

  var instructions: [Instruction] = []
  var slots: [Slot] = []
  var registerCount = 0
  /// How many bytes a message may have.
  var sizes = 0...0
  /// For each instruction, how many bytes it and all after it may take; behind the last, none.
  var rest: [ClosedRange<Int>] = []
}

/// Numbers that share some bytes.
struct BitLayout: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case fixed(UInt32)
    case slot(Int)
  }

  struct Part: Hashable, Sendable {
    var count: Int
    var content: Content
  }

  /// From the most significant bits down.
  var parts: [Part]
  var isLittleEndian: Bool

  /// In bytes.
  var width: Int { parts.reduce(0) { $0 + $1.count } / 8 }
  var order: ByteOrder { isLittleEndian ? .littleEndian : .bigEndian }

  /// Each part with its distance from the least significant bit.
  var placed: [(part: Part, shift: Int)] {
    var shift = 8 * width
    return parts.map { part in
      shift -= part.count
      return (part, shift)
    }
  }
}

extension BitLayout.Part {
  var mask: UInt32 { count == 32 ? .max : (1 << UInt32(count)) - 1 }
}
