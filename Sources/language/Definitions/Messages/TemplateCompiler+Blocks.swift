import DeviceModel

extension TemplateCompiler {
  mutating func emitMaybe(_ body: [TemplateNode], at range: Range<Int>) throws(TextError) {
    let before = position
    let start = append(.maybe(0..<0, otherwise: 0), 0...0)
    try emit(body, in: range.lowerBound)
    guard position.lowerBound > before.lowerBound else {
      throw TextError(.emptyOptionalPart, range)
    }
    let end = program.instructions.count
    program.instructions[start] = .maybe(program.slots(from: start + 1), otherwise: end)
    position = before.lowerBound...position.upperBound
  }

  mutating func emitConditional(
    on name: String, _ body: [TemplateNode], at range: Range<Int>
  ) throws(TextError) {
    let visible: [String: Declaration] = scopes.reduce(into: [:]) { $0.merge($1) { _, inner in inner } }
    guard let flag = visible[name], flag.isInteger, flag.isReached else {
      let known = visible.filter { $0.value.isInteger && $0.value.isReached }.keys.sorted()
      let problem = visible[name].map { $0.isInteger ? Mistake.ConditionProblem.late : .notANumber }
      throw TextError(.wrongCondition(name, problem ?? .unknown, known: known), range)
    }
    let before = position
    let start = append(.conditional(flag.slot, otherwise: 0), 0...0)
    remember(flag.slot)
    try emit(body, in: range.lowerBound)
    program.instructions[start] = .conditional(flag.slot, otherwise: program.instructions.count)
    position = before.lowerBound...max(before.upperBound, position.upperBound)
  }

  mutating func emitRepeat(
    _ name: String, _ rows: ClosedRange<Int>, _ body: [TemplateNode], at range: Range<Int>
  ) throws(TextError) {
    guard let group = self[name]?.slot else { preconditionFailure("'\(name)' was declared") }
    let before = position
    append(.repeatBegin(group), 0...0)
    let start = append(.row(group, rows, done: 0), 0...0)
    let row = try emitRow(of: group, body, at: range)
    append(.rowEnd(row: start), 0...0)
    let done = append(.repeatDone(group), 0...0)
    program.instructions[start] = .row(group, rows, done: done)
    var counts = rows
    if let (length, place) = self[name]?.count { counts = try Self.bounded(rows, by: length, at: place) }
    let most = min(MessageTemplate.maximumSize, counts.upperBound * row.upperBound)
    let least = counts.lowerBound * row.lowerBound
    extents[start] = try reach(name, least...max(least, most))
    position = before.adding(extents[start])
  }

  /// The bytes of one row.
  private mutating func emitRow(
    of group: Int, _ body: [TemplateNode], at range: Range<Int>
  ) throws(TextError) -> ClosedRange<Int> {
    let outside = (position, self.group)
    scopes.append(rowNames[group] ?? [:])
    (position, self.group) = (0...0, group)
    try emit(body, in: range.lowerBound)
    let sizes = position
    (position, self.group) = outside
    scopes.removeLast()
    guard sizes.lowerBound > 0 else {
      throw TextError(.emptyRepeatedPart, range)
    }
    return sizes
  }
}

// MARK: Lengths

extension TemplateCompiler {
  mutating func emit(
    _ length: TemplateNode.Length, at range: Range<Int>, in block: Int?
  ) throws(TextError) {
    let measure: TemplateProgram.Length.Measure
    var follows = false
    switch length.measure {
    case .message:
      guard !isInRow else {
        throw TextError(.messageSizeInRow, range)
      }
      messageSize = messageSize ?? (length, range)
      measure = .message
    case .size(let name), .count(let name):
      let slot = try measured(name, length, at: range, in: block)
      remember(slot)
      follows = length.measure.target.flatMap { self[$0]?.isReached } ?? false
      if case .count = length.measure { measure = .count(slot) } else { measure = .size(slot) }
    }
    let part = TemplateProgram.Length(
      measure: measure, adding: length.adding, encoding: length.encoding, follows: follows)
    append(program.length(part), length.encoding.sizes)
  }

  /// The slot that a length measures, which is in the same block.
  private mutating func measured(
    _ name: String, _ length: TemplateNode.Length, at range: Range<Int>, in block: Int?
  ) throws(TextError) -> Int {
    guard let target = self[name] else {
      let known = scopes[scopes.count - 1].keys.sorted()
      throw TextError(.unknownMeasuredField(name, known: known), range)
    }
    guard target.block == block else {
      throw TextError(.measuredFieldInOtherBlock(name), range)
    }
    var counts = false
    if case .count = length.measure { counts = true }
    guard !counts || target.isRepeated else {
      throw TextError(.countOfUnrepeated(name, lengthType: length.type), range)
    }
    if target.isReached {
      if !counts { _ = try Self.bounded(target.sizes, by: length, at: range) }
    } else if counts {
      self[name]?.count = (length, range)
    } else {
      self[name]?.size = (length, range)
    }
    return target.slot
  }

  /// Lets the matcher store the value of a slot.
  private mutating func remember(_ slot: Int) {
    guard program.slots[slot].register == nil else { return }
    program.slots[slot].register = program.registerCount
    program.registerCount += 1
  }
}

extension TemplateProgram {
  /// The slots that the instructions from an index on fill, which follow each other.
  fileprivate func slots(from start: Int) -> Range<Int> {
    let filled = instructions[start...].flatMap { instruction -> [Int] in
      switch instruction {
      case .field(let slot), .varint(let slot), .repeatBegin(let slot): [slot]
      case .bits(let layout): layouts[layout].slots
      case .protobuf(let index, let slot): [slot].compactMap(\.self) + protobufs[index].slots
      default: []
      }
    }
    return filled.first.map { $0..<filled[filled.count - 1] + 1 } ?? 0..<0
  }

  /// For each instruction, the bytes that it and all later ones may take, given those that each one takes alone.
  func restSizes(_ extents: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var rest = Array(repeating: 0...0, count: instructions.count + 1)
    for index in instructions.indices.reversed() {
      rest[index] = extents[index].adding(rest[index + 1])
      switch instructions[index] {
      case .maybe(_, let otherwise), .conditional(_, let otherwise):
        rest[index] = rest[index + 1].union(rest[otherwise])
      case .row(_, _, let done): rest[index] = extents[index].adding(rest[done])
      case .rowEnd(let row): rest[index] = (0...extents[row].upperBound).adding(rest[index + 1])
      default: break
      }
    }
    return rest
  }
}

extension BitLayout {
  var slots: [Int] {
    parts.compactMap { part in
      if case .slot(let slot) = part.content { slot } else { nil }
    }
  }
}

extension ClosedRange<Int> {
  fileprivate func union(_ other: ClosedRange<Int>) -> ClosedRange<Int> {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}
