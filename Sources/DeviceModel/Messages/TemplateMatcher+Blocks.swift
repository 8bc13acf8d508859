extension TemplateMatcher {
  private mutating func addChoice(goingOnAt index: Int) {
    var other = state
    other.index = index
    steps += state.registers.count / 4  // copying them takes time and memory
    choices.append(Choice(state: other, captureCount: captures.count))
  }

  /// Whether all remaining bytes must match after an index (true), or there are too many for that (false); nil:
  /// unknown.
  private func mustEnd(before index: Int) -> Bool? {
    let rest = program.rest[index]
    if remaining > rest.upperBound { return false }
    return remaining == rest.lowerBound && rest.count == 1 ? true : nil
  }

  mutating func chooseOptional(at index: Int, otherwise: Int) {
    switch mustEnd(before: otherwise) {
    case true?: state.index = otherwise
    case false?: break
    case nil: addChoice(goingOnAt: otherwise)
    }
  }

  mutating func takeRepeated(_ instruction: TemplateProgram.Instruction) -> Bool {
    switch instruction {
    case .repeatBegin(let slot):
      (state.row, state.start) = (0, state.position)
      captures.append(.group(slot))
    case .row(let slot, let counts, let done): return chooseRow(slot, counts, done: done)
    case .rowEnd(let start):
      state.row += 1
      state.index = start
    case .repeatDone(let slot):
      return agree(on: state.row, .count, of: slot)
        && agree(on: state.position - state.start, .size, of: slot)
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

  /// nil: unknown.
  private func hasAnotherRow(_ slot: Int, _ counts: ClosedRange<Int>, done: Int) -> Bool? {
    if let count = known(.count, of: slot) { return state.row < count }
    if let size = known(.size, of: slot) { return state.position - state.start < size }
    if state.row == counts.upperBound { return false }
    return mustEnd(before: done).map { !$0 }
  }

  /// Clears the registers of the columns, which hold for one row only.
  private mutating func forgetRow(of group: Int) {
    guard program.registerCount > 0 else { return }
    for slot in program.slots[(group + 1)...].prefix(while: { $0.column != nil }) {
      if let register = slot.register { state.registers[register] = Register() }
    }
  }
}
