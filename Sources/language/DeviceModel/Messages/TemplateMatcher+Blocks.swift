/// Optional and repeated parts.
extension TemplateMatcher {
  /// Notes that matching can go on at an instruction as well.
  mutating func addChoice(goingOnAt index: Int, least: Int? = nil) {
    var other = state
    other.index = index
    steps += state.registers.count / 4  // copying them takes time and memory
    choices.append(Choice(state: other, captureCount: captures.count, least: least))
  }

  /// Whether all remaining bytes must match after an index (true), or there are too many for that (false); nil:
  /// unknown.
  private func mustEnd(before index: Int, _ message: MessageTemplate, _ frame: Span<UInt8>) -> Bool? {
    let (remaining, rest) = (frame.count - state.position, message.program.rest[index])
    if remaining > rest.upperBound { return false }
    return remaining == rest.lowerBound && rest.count == 1 ? true : nil
  }

  mutating func chooseOptional(_ otherwise: Int, of message: MessageTemplate, _ frame: Span<UInt8>) {
    switch mustEnd(before: otherwise, message, frame) {
    case true?: state.index = otherwise
    case false?: break
    case nil: addChoice(goingOnAt: otherwise)
    }
  }

  mutating func takeRepeated(
    _ instruction: TemplateProgram.Instruction, of message: MessageTemplate, _ frame: Span<UInt8>
  ) -> Bool {
    switch instruction {
    case .repeatBegin(let slot):
      state.groups.begin(at: state.position)
      captures.append(.group(slot))
    case .row(let slot, let counts, let done): return chooseRow(slot, counts, done: done, of: message, frame)
    case .rowEnd(let start):
      state.groups.row += 1
      state.index = start
    case .repeatDone(let slot):
      let (rows, size) = (state.groups.row, state.position - state.groups.start)
      state.groups.end()
      return agree(on: rows, .count, of: slot, message) && agree(on: size, .size, of: slot, message)
    default: break
    }
    return true
  }

  private mutating func chooseRow(
    _ slot: Int, _ counts: ClosedRange<Int>, done: Int, of message: MessageTemplate, _ frame: Span<UInt8>
  ) -> Bool {
    switch hasAnotherRow(slot, counts, done: done, of: message, frame) {
    case false?:
      guard counts.contains(state.groups.row) else { return false }
      state.index = done
      return true
    case true?: break
    case nil: if state.groups.row >= counts.lowerBound { addChoice(goingOnAt: done) }
    }
    guard state.groups.row < counts.upperBound else { return false }
    captures.append(.row(slot))
    forgetRow(of: slot, message)
    return true
  }

  /// nil: unknown.
  private func hasAnotherRow(
    _ slot: Int, _ counts: ClosedRange<Int>, done: Int, of message: MessageTemplate, _ frame: Span<UInt8>
  ) -> Bool? {
    if let count = known(.count, of: slot, message) { return state.groups.row < count }
    if let size = known(.size, of: slot, message) { return state.position - state.groups.start < size }
    if state.groups.row == counts.upperBound { return false }
    return mustEnd(before: done, message, frame).map { !$0 }
  }

  /// Clears the registers of the slots in a row, which hold for that row only.
  private mutating func forgetRow(of group: Int, _ message: MessageTemplate) {
    guard message.program.registerCount > 0 else { return }
    for slot in message.program.slots[(group + 1)...].prefix(message.program.slots[group].innerCount) {
      if let register = slot.register { state.registers[register] = Register() }
    }
  }
}
