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
      state.groups.begin(at: state.position)
      captures.append(.group(slot))
    case .row(let slot, let counts, let done): return chooseRow(slot, counts, done: done)
    case .rowEnd(let start):
      state.groups.row += 1
      state.index = start
    case .repeatDone(let slot):
      let (rows, size) = (state.groups.row, state.position - state.groups.start)
      state.groups.end()
      return agree(on: rows, .count, of: slot) && agree(on: size, .size, of: slot)
    default: break
    }
    return true
  }

  private mutating func chooseRow(_ slot: Int, _ counts: ClosedRange<Int>, done: Int) -> Bool {
    switch hasAnotherRow(slot, counts, done: done) {
    case false?:
      guard counts.contains(state.groups.row) else { return false }
      state.index = done
      return true
    case true?: break
    case nil: if state.groups.row >= counts.lowerBound { addChoice(goingOnAt: done) }
    }
    guard state.groups.row < counts.upperBound else { return false }
    captures.append(.row(slot))
    forgetRow(of: slot)
    return true
  }

  /// nil: unknown.
  private func hasAnotherRow(_ slot: Int, _ counts: ClosedRange<Int>, done: Int) -> Bool? {
    if let count = known(.count, of: slot) { return state.groups.row < count }
    if let size = known(.size, of: slot) { return state.position - state.groups.start < size }
    if state.groups.row == counts.upperBound { return false }
    return mustEnd(before: done).map { !$0 }
  }

  /// Clears the registers of the slots in a row, which hold for that row only.
  private mutating func forgetRow(of group: Int) {
    guard program.registerCount > 0 else { return }
    for slot in program.slots[(group + 1)...].prefix(program.slots[group].innerCount) {
      if let register = slot.register { state.registers[register] = Register() }
    }
  }
}
