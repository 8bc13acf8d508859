import Framing

/// Tells whether a frame is a message, and what its fields hold.
///
/// Where a part's length is not known beforehand it tries the lengths that may be, and goes back when what follows
/// does not fit. It gives up after a number of steps that no sensible message needs, so that no frame takes long.
struct TemplateMatcher {
  /// The most steps; a step handles an instruction or 16 bytes.
  static let budget = 65_536

  /// What is remembered of a slot for those that ask later.
  private struct Register {
    var size: Int?
    var count: Int?
    var number: Int64 = 0
  }

  /// All that changes while a frame is read.
  private struct State {
    var index = 0
    var position = 0
    var registers: [Register]
    /// The rows of the repeated part so far, and where it begins.
    var row = 0
    var start = 0
  }

  /// Where another way may be tried.
  private struct Choice {
    var state: State
    var captureCount: Int
    /// The least number of bytes to try next, for a field.
    var least: Int?
  }

  private enum Capture {
    case value(Int, Value)
    case group(Int)
    case row
  }

  private let program: TemplateProgram
  private let fieldCount: Int
  private let frame: [UInt8]
  private var state: State
  private var captures: [Capture] = []
  private var choices: [Choice] = []
  private var least: Int?
  private(set) var steps = 0

  init(_ program: TemplateProgram, fieldCount: Int, frame: [UInt8]) {
    self.program = program
    self.fieldCount = fieldCount
    self.frame = frame
    state = State(registers: Array(repeating: Register(), count: program.registerCount))
  }

  mutating func run() -> [Value?]? {
    guard program.sizes.contains(frame.count) else { return nil }
    while steps <= Self.budget {
      if state.index == program.instructions.count, state.position == frame.count { return values }
      if state.index < program.instructions.count, perform(program.instructions[state.index]) { continue }
      guard let choice = choices.popLast() else { return nil }
      state = choice.state
      least = choice.least
      captures.removeLast(captures.count - choice.captureCount)
    }
    return nil
  }

  private var remaining: Int { frame.count - state.position }

  /// Takes one instruction; false when the frame does not fit it.
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
  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
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
    let number = ordered.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    for (part, shift) in layout.placed {
      let value = number >> UInt32(shift) & part.mask
      switch part.content {
      case .fixed(let fixed): if value != fixed { return false }
      case .slot(let slot): capture(.integer(Int64(value)), for: slot)
      }
    }
    return true
  }

  private mutating func take(_ checksum: Checksum, _ from: Int, _ through: Int?) -> Bool {
    let end = through.map { $0 + 1 } ?? state.position
    guard from <= end, end <= state.position, let bytes = take(checksum.width) else { return false }
    steps += (end - from) / 16
    return checksum.compute(frame[from..<end]).elementsEqual(bytes)
  }

  private mutating func pad(to size: Int, with byte: UInt8) -> Bool {
    guard state.position <= size, let bytes = take(size - state.position) else { return false }
    return bytes.allSatisfy { $0 == byte }
  }

  private mutating func capture(_ value: Value, for slot: Int) {
    captures.append(.value(slot, value))
    if let register = program.slots[slot].register, case .integer(let number) = value {
      state.registers[register].number = number
    }
  }

  private func number(of slot: Int) -> Int64 {
    program.slots[slot].register.map { state.registers[$0].number } ?? 0
  }
}

// MARK: Lengths

extension TemplateMatcher {
  private mutating func take(_ length: TemplateProgram.Length) -> Bool {
    guard let bytes = take(length.encoding.size ?? 0),
      case .integer(let number)? = length.encoding.decode(bytes),
      let measured = Int(exactly: number).map({ $0.subtractingReportingOverflow(length.adding) }),
      !measured.overflow, measured.partialValue >= 0
    else { return false }
    switch length.measure {
    case .message: return measured.partialValue == frame.count
    case .size(let slot): return agree(on: measured.partialValue, \.size, of: slot)
    case .count(let slot): return agree(on: measured.partialValue, \.count, of: slot)
    }
  }

  /// Remembers what is said of a slot; false when something else has been said.
  private mutating func agree(on number: Int, _ path: WritableKeyPath<Register, Int?>, of slot: Int) -> Bool {
    guard let register = program.slots[slot].register else { return true }
    if let known = state.registers[register][keyPath: path] { return known == number }
    state.registers[register][keyPath: path] = number
    return true
  }

  private func known(_ path: KeyPath<Register, Int?>, of slot: Int) -> Int? {
    program.slots[slot].register.flatMap { state.registers[$0][keyPath: path] }
  }
}

// MARK: Fields

extension TemplateMatcher {
  /// Takes a field of the first size that may be, and notes that others may follow.
  private mutating func take(_ slot: Int, _ encoding: FieldEncoding, at index: Int) -> Bool {
    let tried = least ?? 0
    least = nil
    guard let possible = sizes(of: slot, encoding, at: index), tried <= possible.upperBound else {
      return false
    }
    let sizes = max(tried, possible.lowerBound)...possible.upperBound
    guard let size = nextBorder(at: index + 1, sizes) else { return false }
    if size < sizes.upperBound {
      var before = state
      before.index = index
      choices.append(Choice(state: before, captureCount: captures.count, least: size + 1))
    }
    guard let bytes = take(size), let value = encoding.decode(bytes) else { return false }
    capture(value, for: slot)
    return agree(on: size, \.size, of: slot)
  }

  /// The sizes that a field may have here, with what is said of it and what must follow.
  private func sizes(of slot: Int, _ encoding: FieldEncoding, at index: Int) -> ClosedRange<Int>? {
    if let size = known(\.size, of: slot) {
      return encoding.sizes.contains(size) && size <= remaining ? size...size : nil
    }
    let rest = program.rest[index + 1]
    let least = max(encoding.sizes.lowerBound, remaining - rest.upperBound)
    let most = min(encoding.sizes.upperBound, remaining - rest.lowerBound)
    return least <= most ? least...most : nil
  }

  /// The first of these sizes behind which the literal stands that must follow, if one must.
  private mutating func nextBorder(at index: Int, _ sizes: ClosedRange<Int>) -> Int? {
    guard sizes.count > 1, index < program.instructions.count,
      case .literal(let border, ignoringCase: false) = program.instructions[index]
    else { return sizes.lowerBound }
    var size = sizes.lowerBound
    while size <= sizes.upperBound {
      if frame[(state.position + size)...].starts(with: border) { break }
      size += 1
    }
    steps += (size - sizes.lowerBound) / 16
    return size <= sizes.upperBound ? size : nil
  }
}

// MARK: Blocks

extension TemplateMatcher {
  private mutating func addChoice(goingOnAt index: Int) {
    var other = state
    other.index = index
    choices.append(Choice(state: other, captureCount: captures.count))
  }

  /// Whether all that remains is needed behind an index, or more remains than can follow there; nil: who knows.
  private func mustEnd(before index: Int) -> Bool? {
    let rest = program.rest[index]
    if remaining > rest.upperBound { return false }
    return remaining == rest.lowerBound && rest.count == 1 ? true : nil
  }

  private mutating func chooseOptional(at index: Int, otherwise: Int) {
    switch mustEnd(before: otherwise) {
    case true?: state.index = otherwise
    case false?: break
    case nil: addChoice(goingOnAt: otherwise)
    }
  }

  private mutating func takeRepeated(_ instruction: TemplateProgram.Instruction) -> Bool {
    switch instruction {
    case .repeatBegin(let slot):
      (state.row, state.start) = (0, state.position)
      captures.append(.group(slot))
    case .row(let slot, let counts, let done): return chooseRow(slot, counts, done: done)
    case .rowEnd(let start):
      state.row += 1
      state.index = start
    case .repeatDone(let slot):
      return agree(on: state.row, \.count, of: slot)
        && agree(on: state.position - state.start, \.size, of: slot)
    default: break
    }
    return true
  }

  private mutating func chooseRow(_ slot: Int, _ counts: ClosedRange<Int>, done: Int) -> Bool {
    switch hasAnotherRow(slot, counts, done: done) {
    case false?:
      guard counts.contains(state.row) else { return false }
      state.index = done
      return true
    case true?: break
    case nil: if state.row >= counts.lowerBound { addChoice(goingOnAt: done) }
    }
    guard state.row < counts.upperBound else { return false }
    captures.append(.row)
    forgetRow(of: slot)
    return true
  }

  /// nil: there may be one.
  private func hasAnotherRow(_ slot: Int, _ counts: ClosedRange<Int>, done: Int) -> Bool? {
    if let count = known(\.count, of: slot) { return state.row < count }
    if let size = known(\.size, of: slot) { return state.position - state.start < size }
    if state.row == counts.upperBound { return false }
    return mustEnd(before: done).map { !$0 }
  }

  /// What was said of the columns holds for one row.
  private mutating func forgetRow(of group: Int) {
    guard program.registerCount > 0 else { return }
    for slot in program.slots[(group + 1)...].prefix(while: { $0.column != nil }) {
      if let register = slot.register { state.registers[register] = Register() }
    }
  }
}

// MARK: Values

extension TemplateMatcher {
  /// What was captured, by field.
  private var values: [Value?] {
    var values = [Value?](repeating: nil, count: fieldCount)
    var rows: [[Value]] = []
    var group: Int?
    for capture in captures {
      switch capture {
      case .group(let slot):
        if let group { values[group] = .group(rows) }
        (group, rows) = (program.slots[slot].field, [])
      case .row: rows.append([])
      case .value(let slot, let value):
        let place = program.slots[slot]
        if place.column == nil { values[place.field] = value } else { rows[rows.count - 1].append(value) }
      }
    }
    if let group { values[group] = .group(rows) }
    return values
  }
}

extension UInt8 {
  /// The ASCII letter's capital; itself where it is none.
  var uppercased: UInt8 { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self }
}
