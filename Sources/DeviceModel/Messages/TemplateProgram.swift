import Framing

/// A template as instructions: one sequence that recognises a frame and builds one.
///
/// Numbers without a label are slots, by index; `otherwise`, `done` and `row` are instructions, by index.
package struct TemplateProgram: Hashable, Sendable {
  package enum Instruction: Hashable, Sendable {
    /// These bytes; letters in ASCII perhaps in either case.
    case literal([UInt8], ignoringCase: Bool)
    case field(Int, FieldEncoding)
    /// A value as people write it; only builds.
    case written(Int, asText: Bool)
    case bits(BitLayout)
    /// Over the message's bytes from the first index up to the second; nil: up to the checksum.
    case checksum(Checksum, from: Int, through: Int?)
    case length(Length)
    /// As many of these bytes as the message needs to have a size.
    case pad(to: Int, with: UInt8)
    /// So many bytes, whatever they are; 0 where they are built.
    case skip(Int)
    /// The part up to `otherwise` is there when its slots have values, or when its bytes are there.
    case maybe([Int], otherwise: Int)
    /// The part up to `otherwise` is there when this slot is not 0.
    case conditional(Int, otherwise: Int)
    /// Rows begin.
    case repeatBegin(Int)
    /// One more row, or on at `done`.
    case row(Int, ClosedRange<Int>, done: Int)
    case rowEnd(row: Int)
    /// The rows are over.
    case repeatDone(Int)
  }

  /// Where a value belongs: every field, column and repeated part has a slot.
  package struct Slot: Hashable, Sendable {
    /// The index of the field, or of the group that the column is in.
    package var field: Int
    /// The index of the column in its group; nil outside of groups.
    package var column: Int?
    /// Where the matcher remembers its size, count or number; nil when nothing asks for it.
    package var register: Int?

    package init(field: Int, column: Int? = nil) {
      self.field = field
      self.column = column
    }
  }

  /// A number that says how long something is.
  package struct Length: Hashable, Sendable {
    package enum Measure: Hashable, Sendable {
      /// The bytes of the whole message.
      case message
      /// The bytes of a slot.
      case size(Int)
      /// The rows of a slot.
      case count(Int)
    }

    package var measure: Measure
    /// What is added to it.
    package var adding: Int
    package var encoding: FieldEncoding

    package init(measure: Measure, adding: Int, encoding: FieldEncoding) {
      (self.measure, self.adding, self.encoding) = (measure, adding, encoding)
    }
  }

  package var instructions: [Instruction] = []
  package var slots: [Slot] = []
  /// How many registers the slots have.
  package var registerCount = 0
  /// How many bytes a message may have.
  package var sizes = 0...0
  /// For each instruction, how many bytes it and all after it may take; after the last, none.
  package var rest: [ClosedRange<Int>] = []

  /// Nothing.
  package init() {}
}

/// Numbers that share some bytes.
package struct BitLayout: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case fixed(UInt32)
    case slot(Int)
  }

  package struct Part: Hashable, Sendable {
    /// Bits.
    package var count: Int
    package var content: Content

    package init(count: Int, content: Content) {
      self.count = count
      self.content = content
    }
  }

  /// From the most significant bits down.
  package var parts: [Part]
  package var isLittleEndian: Bool

  package init(parts: [Part], isLittleEndian: Bool) {
    self.parts = parts
    self.isLittleEndian = isLittleEndian
  }

  /// In bytes.
  package var width: Int { parts.reduce(0) { $0 + $1.count } / 8 }
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
