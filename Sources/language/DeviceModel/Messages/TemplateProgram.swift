import Framing

/// A template as a sequence of instructions, for both matching and building.
///
/// Numbers without a label are slots, by index; `otherwise`, `done` and `row` are instructions, by index.
package struct TemplateProgram: Hashable, Sendable {
  /// The deepest nesting of repeated parts.
  package static let mostGroups = 4

  package enum Instruction: Hashable, Sendable {
    /// These bytes; the case of ASCII letters may be ignored.
    case literal([UInt8], ignoringCase: Bool)
    case field(Int, FieldEncoding)
    /// A value in its text form; only for building.
    case written(Int, asText: Bool)
    case bits(BitLayout)
    /// Over the message's bytes from the first index up to the second; nil: up to the checksum.
    case checksum(Checksum, from: Int, through: Int?)
    case length(Length)
    /// As many of these bytes as the message needs to reach a size.
    case pad(to: Int, with: UInt8)
    /// This many bytes of any value; built as 0.
    case skip(Int)
    /// The part up to `otherwise` is present if its slots have values, or if its bytes match.
    case maybe([Int], otherwise: Int)
    /// The part up to `otherwise` is present if this slot is not 0.
    case conditional(Int, otherwise: Int)
    /// Rows begin.
    case repeatBegin(Int)
    /// Another row, or continue at `done`.
    case row(Int, ClosedRange<Int>, done: Int)
    case rowEnd(row: Int)
    /// The rows end.
    case repeatDone(Int)
  }

  /// The place of a value: every field, column and repeated part has a slot.
  package struct Slot: Hashable, Sendable {
    /// The index of the field, or of the outermost group around it.
    package var field: Int
    /// The slot of the group whose column it is; nil outside of groups.
    package var group: Int?
    /// The index of the column in its group; 0 outside of groups.
    package var column: Int
    /// The number of columns of a group.
    package var columnCount = 0
    /// How many slots after a group's own are inside it.
    package var innerCount = 0
    /// The matcher's register for its size, count or number; nil if no part needs it.
    package var register: Int?

    package init(field: Int, column: Int = 0, of group: Int? = nil) {
      (self.field, self.column, self.group) = (field, column, group)
    }
  }

  /// A number that gives the length of something.
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
    /// The number that is added to it.
    package var adding: Int
    package var encoding: FieldEncoding

    package init(measure: Measure, adding: Int, encoding: FieldEncoding) {
      (self.measure, self.adding, self.encoding) = (measure, adding, encoding)
    }
  }

  package var instructions: [Instruction] = []
  package var slots: [Slot] = []
  /// The number of registers.
  package var registerCount = 0
  /// The possible numbers of bytes of a message.
  package var sizes = 0...0
  /// For each instruction, the possible numbers of bytes from it to the end; a last entry of 0.
  package var rest = [0...0]

  /// Nothing.
  package init() {}
}

extension TemplateProgram {
  /// The indices of the groups around a slot, from the outermost on.
  func way(to slot: Int) -> [Int] {
    guard let group = slots[slot].group else { return [] }
    let place = slots[group]
    return way(to: group) + [place.group == nil ? place.field : place.column]
  }
}

/// Numbers that share some bytes.
package struct BitLayout: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case fixed(UInt64)
    case slot(Int)
  }

  package struct Part: Hashable, Sendable {
    /// Bits.
    package var count: Int
    package var content: Content
    /// The names of the numbers of a slot, if they have any; no other number is read then.
    package var names: NamedNumbers?

    package init(count: Int, content: Content, names: NamedNumbers? = nil) {
      (self.count, self.content, self.names) = (count, content, names)
    }
  }

  /// The most bits of all parts.
  package static let mostBits = 64

  /// From the most significant bits down.
  package var parts: [Part]
  package var isLittleEndian: Bool

  package init(parts: [Part], isLittleEndian: Bool) {
    self.parts = parts
    self.isLittleEndian = isLittleEndian
  }

  /// In bytes.
  package var width: Int { parts.reduce(0) { $0 + $1.count } / 8 }
  /// Whether some of its numbers are read by name.
  var hasNames: Bool { parts.contains { $0.names != nil } }
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
  /// The value of a slot with this number; nil if the number has no name.
  func value(of number: Int64) -> Value? {
    guard let names else { return .integer(number) }
    return names.name(of: number).map(Value.text)
  }

  /// The number of a slot with this value.
  func number(of value: Value) throws(EncodingError) -> UInt64 {
    switch value {
    case .text(let name): return UInt64(bitPattern: try names?.number(named: name) ?? 0)
    case .integer(let number):
      try FieldEncoding.bits(count).check(value)
      return UInt64(bitPattern: number)
    default: preconditionFailure("a number was checked to stand here")
    }
  }

  var mask: UInt64 { .max >> (64 - UInt64(count)) }
}
