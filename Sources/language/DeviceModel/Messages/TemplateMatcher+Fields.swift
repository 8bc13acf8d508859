/// Fields of unknown size, and the lengths that give it.
extension TemplateMatcher {
  /// Tries a field with the first possible size, and notes the other sizes for later.
  mutating func take(_ slot: Int, _ encoding: FieldEncoding, at index: Int) -> Bool {
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
      steps += state.registers.count / 4
      choices.append(Choice(state: before, captureCount: captures.count, least: size + 1))
    }
    guard let bytes = take(size), let value = encoding.decode(bytes) else { return false }
    capture(value, for: slot)
    return agree(on: size, .size, of: slot)
  }

  /// The possible sizes of a field here, by its registers and the parts that must follow.
  private func sizes(of slot: Int, _ encoding: FieldEncoding, at index: Int) -> ClosedRange<Int>? {
    if let size = known(.size, of: slot) {
      return encoding.sizes.contains(size) && size <= remaining ? size...size : nil
    }
    let rest = program.rest[index + 1]
    let least = max(encoding.sizes.lowerBound, remaining - rest.upperBound)
    let most = min(encoding.sizes.upperBound, remaining - rest.lowerBound)
    return least <= most ? least...most : nil
  }

  /// The first of these sizes after which the next literal matches, if one must follow.
  private mutating func nextBorder(at index: Int, _ sizes: ClosedRange<Int>) -> Int? {
    guard sizes.count > 1, index < program.instructions.count,
      case .literal(let border, ignoringCase: false) = program.instructions[index]
    else { return sizes.lowerBound }
    var size = sizes.lowerBound
    while size <= sizes.upperBound {
      if frame[(state.position + size)...].starts(with: border) { break }
      size += 1
    }
    steps += (size - sizes.lowerBound) * border.count / 16
    return size <= sizes.upperBound ? size : nil
  }
}

extension TemplateMatcher {
  mutating func take(_ length: TemplateProgram.Length) -> Bool {
    guard let bytes = take(length.encoding.size ?? 0),
      case .integer(let number)? = length.encoding.decode(bytes),
      let measured = Int(exactly: number).map({ $0.subtractingReportingOverflow(length.adding) }),
      !measured.overflow, measured.partialValue >= 0
    else { return false }
    switch length.measure {
    case .message: return measured.partialValue == frame.count
    case .size(let slot): return agree(on: measured.partialValue, .size, of: slot)
    case .count(let slot): return agree(on: measured.partialValue, .count, of: slot)
    }
  }

  /// Stores a value in a slot's register; false if the register holds another value.
  mutating func agree(on number: Int, _ fact: Register.Fact, of slot: Int) -> Bool {
    guard let register = program.slots[slot].register else { return true }
    if let known = state.registers[register][fact] { return known == number }
    state.registers[register][fact] = number
    return true
  }

  func known(_ fact: Register.Fact, of slot: Int) -> Int? {
    program.slots[slot].register.flatMap { state.registers[$0][fact] }
  }
}
