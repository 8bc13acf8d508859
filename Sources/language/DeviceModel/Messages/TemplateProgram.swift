import Framing

/// A template as a sequence of instructions, for both matching and building.
///
/// An instruction is a plain value: what takes memory of its own is in a pool, where the instruction names its place.
package struct TemplateProgram: Hashable, Sendable {
  /// The deepest nesting of repeated parts.
  package static let mostGroups = 4

  /// Numbers without a label are slots, by index; `otherwise`, `done` and `row` are instructions, by index.
  package enum Instruction: Hashable, Sendable {
    /// These of ``literals``; the case of ASCII letters may be ignored.
    case literal(Range<Int>, ignoringCase: Bool)
    /// A value in the encoding of its slot.
    case field(Int)
    /// A value whose bytes say where it ends.
    case varint(Int)
    /// A value in its text form; only for building.
    case written(Int, asText: Bool)
    /// One of ``layouts``.
    case bits(layout: Int)
    /// One of ``protobufs``, whose fields are those of the template or, with a slot, of its one row.
    case protobuf(Int, Int?)
    /// One of ``checks``.
    case checksum(check: Int)
    /// One of ``lengths``.
    case length(length: Int)
    /// As many of these bytes as the message needs to reach a size.
    case pad(to: Int, with: UInt8)
    /// This many bytes of any value; built as 0.
    case skip(Int)
    /// The part up to `otherwise` is present if those of these slots that are not in a repeated part inside it have values, or if
    /// its bytes match.
    case maybe(Range<Int>, otherwise: Int)
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
    /// The possible numbers of bytes of a value.
    fileprivate(set) var sizes = 0...0
    /// Whether any bytes of the right number are a value.
    fileprivate(set) var acceptsAllBytes = false

    package init(field: Int, column: Int = 0, of group: Int? = nil) {
      (self.field, self.column, self.group) = (field, column, group)
    }
  }

  /// Over the message's bytes from the first index up to the second; nil: up to the checksum.
  package struct Check: Hashable, Sendable {
    package var checksum: Checksum
    package var from: Int
    package var through: Int?

    package init(_ checksum: Checksum, from: Int, through: Int?) {
      (self.checksum, self.from, self.through) = (checksum, from, through)
    }

    /// The bytes that it covers if so many precede it; nil: they are too few.
    func coverage(after count: Int) -> Range<Int>? {
      let end = through.map { $0 + 1 } ?? count
      return from <= end && end <= count ? from..<end : nil
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

      var slot: Int? {
        switch self {
        case .message: nil
        case .size(let slot), .count(let slot): slot
        }
      }
    }

    package var measure: Measure
    /// The number that is added to it.
    package var adding: Int
    package var encoding: FieldEncoding
    /// Whether it comes after what it measures.
    package var follows: Bool

    package init(measure: Measure, adding: Int, encoding: FieldEncoding, follows: Bool) {
      (self.measure, self.adding, self.encoding, self.follows) = (measure, adding, encoding, follows)
    }
  }

  package var instructions: [Instruction] = []
  package private(set) var literals: [UInt8] = []
  package private(set) var layouts: [BitLayout] = []
  package private(set) var protobufs: [ProtobufLayout] = []
  package private(set) var checks: [Check] = []
  package private(set) var lengths: [Length] = []
  package var slots: [Slot] = []
  /// The encoding of each slot; nil for a repeated part, and for a value in its text form.
  package private(set) var encodings: [FieldEncoding?] = []
  /// The number of registers.
  package var registerCount = 0
  /// The possible numbers of bytes of a message.
  package var sizes = 0...0
  /// For each instruction, the possible numbers of bytes from it to the end; a last entry of 0.
  package var rest = [0...0]

  /// Nothing.
  package init() {}
}

// MARK: Pools

extension TemplateProgram {
  package mutating func add(_ slot: Slot, _ encoding: FieldEncoding?) {
    var slot = slot
    if let encoding { (slot.sizes, slot.acceptsAllBytes) = (encoding.sizes, encoding.acceptsAllBytes) }
    slots.append(slot)
    encodings.append(encoding)
  }

  package mutating func literal(_ bytes: [UInt8], ignoringCase: Bool) -> Instruction {
    literals += bytes
    return .literal(literals.count - bytes.count..<literals.count, ignoringCase: ignoringCase)
  }

  package mutating func bits(_ layout: BitLayout) -> Instruction {
    layouts.append(layout)
    return .bits(layout: layouts.count - 1)
  }

  package mutating func protobuf(_ layout: ProtobufLayout, _ slot: Int?) -> Instruction {
    protobufs.append(layout)
    return .protobuf(protobufs.count - 1, slot)
  }

  package mutating func checksum(_ check: Check) -> Instruction {
    checks.append(check)
    return .checksum(check: checks.count - 1)
  }

  package mutating func length(_ length: Length) -> Instruction {
    lengths.append(length)
    return .length(length: lengths.count - 1)
  }
}

extension TemplateProgram {
  /// The indices of the groups around a slot, from the outermost on.
  func way(to slot: Int) -> [Int] {
    guard let group = slots[slot].group else { return [] }
    let place = slots[group]
    return way(to: group) + [place.group == nil ? place.field : place.column]
  }

  /// The number of bytes of a part that begins at an index; nil if it varies.
  func size(of instruction: Instruction, at offset: Int) -> Int? {
    switch instruction {
    case .literal(let bytes, _): bytes.count
    case .field(let slot): encodings[slot]?.size
    case .bits(let layout): layouts[layout].width
    case .checksum(let check): checks[check].checksum.width
    case .length(let length): lengths[length].encoding.size
    case .pad(let size, _): offset <= size ? size - offset : nil
    case .skip(let count): count
    case .varint, .protobuf, .written, .maybe, .conditional, .repeatBegin, .row, .rowEnd, .repeatDone: nil
    }
  }

  /// Those of the slots of an optional part that are not in a repeated part inside it.
  func filled(_ slots: Range<Int>) -> [Int] {
    slots.filter { self.slots[$0].group == self.slots[slots.lowerBound].group }
  }
}
