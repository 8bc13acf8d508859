import Framing

/// Matches a frame against a message and reads its fields.
///
/// If the length of a part is unknown, it tries the possible lengths and goes back if the following parts do not
/// match. It gives up after more steps than any sensible message needs, so that no frame takes long.
struct TemplateMatcher {
  /// The most steps; a step handles an instruction or 16 bytes.
  static let budget = 65_536

  /// The known facts about a slot, for later parts.
  struct Register {
    enum Fact { case size, count }

    private var size: Int?
    private var count: Int?
    var number: Int64 = 0

    /// Key paths would do, but take 500 instructions.
    subscript(fact: Fact) -> Int? {
      get { fact == .size ? size : count }
      set { if fact == .size { size = newValue } else { count = newValue } }
    }
  }

  /// The state of matching.
  struct State {
    var index = 0
    var position = 0
    var registers: [Register]
    var groups = OpenGroups()
    /// Where the checksums are.
    var checksums: [Range<Int>] = []
  }

  /// A point at which another possibility remains.
  struct Choice {
    var state: State
    var captureCount: Int
    /// The least number of bytes to try next, for a field.
    var least: Int?
  }

  enum Capture {
    case value(Int, Value)
    case group(Int)
    case row(Int)
  }

  let program: TemplateProgram
  let frame: [UInt8]
  var state: State
  var captures: [Capture] = []
  var choices: [Choice] = []
  var least: Int?
  var steps = 0
  /// Whether to note where the checksums are.
  var notesChecksums = false

  init(_ program: TemplateProgram, frame: [UInt8]) {
    self.program = program
    self.frame = frame
    state = State(registers: Array(repeating: Register(), count: program.registerCount))
  }

  /// Whether the frame is the message.
  mutating func run() -> Bool {
    guard program.sizes.contains(frame.count) else { return false }
    while steps <= Self.budget {
      if state.index == program.instructions.count, state.position == frame.count { return true }
      if state.index < program.instructions.count, perform(program.instructions[state.index]) { continue }
      guard let choice = choices.popLast() else { return false }
      state = choice.state
      least = choice.least
      captures.removeLast(captures.count - choice.captureCount)
    }
    return false
  }

  var remaining: Int { frame.count - state.position }

  /// Performs one instruction; false if the frame does not match it.
  private mutating func perform(_ instruction: TemplateProgram.Instruction) -> Bool {
    steps += 1
    let index = state.index
    state.index += 1
    switch instruction {
    case .literal(let bytes, let ignoringCase): return take(bytes, ignoringCase: ignoringCase)
    case .field(let slot, let encoding): return take(slot, encoding, at: index)
    case .written: return false
    case .bits(let layout): return take(layout)
    case .checksum(let checksum, let from, let through): return take(checksum, from, through)
    case .length(let length): return take(length)
    case .pad(let size, let byte): return pad(to: size, with: byte)
    case .skip(let count): return take(count) != nil
    case .maybe(_, let otherwise): chooseOptional(at: index, otherwise: otherwise)
    case .conditional(let slot, let otherwise): if number(of: slot) == 0 { state.index = otherwise }
    case .repeatBegin, .row, .rowEnd, .repeatDone: return takeRepeated(instruction)
    }
    return true
  }
}

// MARK: Parts

extension TemplateMatcher {
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= remaining else { return nil }
    steps += count / 16
    state.position += count
    return frame[state.position - count..<state.position]
  }

  private mutating func take(_ literal: [UInt8], ignoringCase: Bool) -> Bool {
    guard let bytes = take(literal.count) else { return false }
    return ignoringCase
      ? bytes.elementsEqual(literal) { $0.uppercased == $1.uppercased } : bytes.elementsEqual(literal)
  }

  private mutating func take(_ layout: BitLayout) -> Bool {
    guard let bytes = take(layout.width) else { return false }
    let ordered = layout.isLittleEndian ? Array(bytes.reversed()) : Array(bytes)
    let number = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    for (part, shift) in layout.placed {
      let value = number >> UInt64(shift) & part.mask
      switch part.content {
      case .fixed(let fixed): if value != fixed { return false }
      case .slot(let slot):
        guard let value = part.value(of: Int64(bitPattern: value)) else { return false }
        capture(value, for: slot)
      }
    }
    return true
  }

  private mutating func take(_ checksum: Checksum, _ from: Int, _ through: Int?) -> Bool {
    let end = through.map { $0 + 1 } ?? state.position
    guard from <= end, end <= state.position, let bytes = take(checksum.width) else { return false }
    steps += (end - from) / 16
    if let defined = checksum.definition { steps += defined.weight * (1 + (end - from) / 16) }
    if notesChecksums { state.checksums.append(bytes.indices) }
    return (try? checksum.compute(frame[from..<end])).map { $0.elementsEqual(bytes) } ?? false
  }

  private mutating func pad(to size: Int, with byte: UInt8) -> Bool {
    guard state.position <= size, let bytes = take(size - state.position) else { return false }
    return bytes.allSatisfy { $0 == byte }
  }

  mutating func capture(_ value: Value, for slot: Int) {
    captures.append(.value(slot, value))
    if let register = program.slots[slot].register, case .integer(let number) = value {
      state.registers[register].number = number
    }
  }

  private func number(of slot: Int) -> Int64 {
    program.slots[slot].register.map { state.registers[$0].number } ?? 0
  }
}

extension TemplateMatcher {
  /// Passes on the captured values, by field.
  func forEachValue(_ take: (_ field: Int, Value) -> Void) {
    var rows = CapturedRows(slots: program.slots)
    for capture in captures {
      switch capture {
      case .group(let slot):
        rows.close(downTo: program.slots[slot].group, take)
        rows.open(slot)
      case .row(let slot):
        rows.close(downTo: slot, take)
        rows.addRow()
      case .value(let slot, let value):
        rows.close(downTo: program.slots[slot].group, take)
        rows.add(value, for: slot, take)
      }
    }
    rows.close(downTo: nil, take)
  }
}

extension UInt8 {
  /// The upper-case form of an ASCII letter; any other byte unchanged.
  var uppercased: UInt8 { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self }
}
