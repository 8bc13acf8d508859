import Framing

/// Builds a message from values.
struct TemplateBuilder {
  /// What is known of a slot, where another part needs it.
  private struct Register {
    var size = 0
    var count = 0
  }

  /// A part that is filled in after those that it depends on, with the index of its first byte.
  private enum Pending {
    case length(Int, at: Int)
    case checksum(Int, over: Range<Int>, at: Int)
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var index = 0
  private var registers: [Register]
  /// The repeated parts that are being built, the innermost last.
  private var groups: [(slot: Int, rows: [[Value?]], row: Int)] = []
  private var pending: [Pending] = []

  init(_ message: MessageTemplate, limit: Int) {
    self.limit = limit
    registers = Array(repeating: Register(), count: message.program.registerCount)
  }

  mutating func build(_ message: MessageTemplate, _ values: [Value?]) throws(EncodingError) -> [UInt8] {
    bytes.reserveCapacity(Self.room(for: message, values))
    while index < message.program.instructions.count {
      index += 1
      try perform(message.program.instructions[index - 1], of: message, values)
      guard bytes.count <= limit else { throw .tooLong(count: bytes.count, limit: limit) }
    }
    if !pending.isEmpty { try complete(message) }
    return bytes
  }

  /// Enough for most messages.
  private static func room(for message: MessageTemplate, _ values: [Value?]) -> Int {
    var room = message.minimumSize
    guard room < message.maximumSize else { return room }
    for case .bytes(let bytes)? in values { room += bytes.count }
    return room
  }

  private mutating func perform(
    _ instruction: TemplateProgram.Instruction, of message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) {
    switch instruction {
    case .literal(let literal, _): bytes += message.program.literals[literal]
    case .field(let slot):
      let start = bytes.count
      try message.program.encodings[slot]?.encode(try value(of: slot, message, values), into: &bytes)
      if let register = message.program.slots[slot].register {
        registers[register].size = bytes.count - start
      }
    case .written(let slot, let asText): write(try value(of: slot, message, values), asText: asText)
    case .bits(let layout): try appendBits(layout, of: message, values)
    case .checksum(let check): try append(message.program.checks[check], check)
    case .length(let length):
      pending.append(.length(length, at: bytes.count))
      bytes += repeatElement(0, count: message.program.lengths[length].encoding.size ?? 0)
    case .pad(let size, let byte):
      guard bytes.count <= size else { throw .tooLong(count: bytes.count, limit: size) }
      bytes += repeatElement(byte, count: size - bytes.count)
    case .skip(let count): bytes += repeatElement(0, count: count)
    case .maybe(let slots, let otherwise):
      if try !areGiven(slots, message, values) { index = otherwise }
    case .conditional(let slot, let otherwise):
      if (given(slot, message, values) ?? .integer(0)) == .integer(0) { index = otherwise }
    case .repeatBegin, .row, .rowEnd, .repeatDone: try repeatPart(instruction, of: message, values)
    }
  }
}

// MARK: Values

extension TemplateBuilder {
  private func given(_ slot: Int, _ message: MessageTemplate, _ values: [Value?]) -> Value? {
    guard let slotOfGroup = message.program.slots[slot].group else {
      return values[message.program.slots[slot].field]
    }
    guard let group = groups.last(where: { $0.slot == slotOfGroup }) else { return nil }
    return group.rows[group.row][message.program.slots[slot].column]
  }

  private func value(
    of slot: Int, _ message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) -> Value {
    guard let value = given(slot, message, values) else { throw message.missing(slot) }
    return value
  }

  /// Whether an optional part has values: false without any of them, an error with only some.
  private func areGiven(
    _ slots: Range<Int>, _ message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) -> Bool {
    var firstMissing: Int?
    var isGiven = false
    for slot in message.program.filled(slots) {
      if given(slot, message, values) == nil { firstMissing = firstMissing ?? slot } else { isGiven = true }
    }
    guard isGiven, let firstMissing else { return isGiven }
    throw message.missing(firstMissing)
  }

  private mutating func write(_ value: Value, asText: Bool) {
    if case .bytes(let value) = value, !asText {
      bytes += value
    } else {
      bytes += value.description.utf8
    }
  }

  private mutating func appendBits(
    _ layout: Int, of message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) {
    let layout = message.program.layouts[layout]
    var number: UInt64 = 0
    for part in layout.parts {
      switch part.content {
      case .fixed(let value): number |= value << part.shift
      case .slot(let slot):
        number |= try part.number(of: try value(of: slot, message, values)) << part.shift
      }
    }
    layout.order.append(number, width: layout.width, to: &bytes)
  }
}

extension MessageTemplate {
  fileprivate func missing(_ slot: Int) -> EncodingError { .missing(fields[program.slots[slot].field].name) }
}

// MARK: Repeated parts

extension TemplateBuilder {
  private mutating func repeatPart(
    _ instruction: TemplateProgram.Instruction, of message: MessageTemplate, _ values: [Value?]
  ) throws(EncodingError) {
    switch instruction {
    case .repeatBegin(let slot):
      guard case .group(let rows) = try value(of: slot, message, values) else {
        preconditionFailure("a group was checked to stand here")
      }
      groups.append((slot, rows, 0))
      if let register = message.program.slots[slot].register { registers[register].size = bytes.count }
    case .row(let slot, let allowed, let done):
      let (count, row) = (groups[groups.count - 1].rows.count, groups[groups.count - 1].row)
      guard allowed.contains(count) else { throw .rowCount(count, allowed) }
      if let register = message.program.slots[slot].register { registers[register].count = count }
      if row == count { index = done }
    case .rowEnd(let start):
      try fillLengths(message, ofRowOf: groups[groups.count - 1].slot)
      groups[groups.count - 1].row += 1
      index = start
    case .repeatDone(let slot):
      groups.removeLast()
      if let register = message.program.slots[slot].register {
        registers[register].size = bytes.count - registers[register].size
      }
    default: break
    }
  }
}

// MARK: Lengths and checksums

extension TemplateBuilder {
  /// Fills in what is pending: the lengths, then the checksums over them.
  private mutating func complete(_ message: MessageTemplate) throws(EncodingError) {
    try fillLengths(message)
    for case .checksum(let check, let coverage, let place) in pending {
      let end = bytes.count
      try append(message.program.checks[check].checksum, over: coverage)
      moveBytes(from: end, to: place)
    }
  }

  /// Fills in the lengths of what is in the row of a group that has just been built; nil: all lengths.
  private mutating func fillLengths(
    _ message: MessageTemplate, ofRowOf group: Int? = nil
  ) throws(EncodingError) {
    var waiting = 0
    for part in pending {
      if case .length(let length, let place) = part, case let length = message.program.lengths[length],
        group == nil || length.measure.slot.flatMap({ message.program.slots[$0].group }) == group
      {
        let (number, end) = (measured(length.measure, message) + length.adding, bytes.count)
        try length.encoding.encode(.integer(Int64(number)), into: &bytes)
        moveBytes(from: end, to: place)
      } else {
        pending[waiting] = part
        waiting += 1
      }
    }
    pending.removeLast(pending.count - waiting)
  }

  private func measured(_ measure: TemplateProgram.Length.Measure, _ message: MessageTemplate) -> Int {
    switch measure {
    case .message: bytes.count
    case .size(let slot): message.program.slots[slot].register.map { registers[$0].size } ?? 0
    case .count(let slot): message.program.slots[slot].register.map { registers[$0].count } ?? 0
    }
  }

  /// Appends a checksum, or leaves room for one that must wait.
  private mutating func append(_ check: TemplateProgram.Check, _ index: Int) throws(EncodingError) {
    guard let coverage = check.coverage(after: bytes.count) else {
      throw .tooShort(count: bytes.count, needed: max(check.from, check.through.map { $0 + 1 } ?? 0))
    }
    // That of a definition may fail, and other problems come first.
    if pending.isEmpty, check.checksum.definition == nil {
      return try append(check.checksum, over: coverage)
    }
    pending.append(.checksum(index, over: coverage, at: bytes.count))
    bytes += repeatElement(0, count: check.checksum.width)
  }

  private mutating func append(_ checksum: Checksum, over coverage: Range<Int>) throws(EncodingError) {
    let value: UInt32
    do { value = try checksum.value(of: bytes.span.extracting(coverage)) } catch {
      throw .noChecksum(checksum.name, problem: error.description)
    }
    checksum.byteOrder.append(UInt64(value), width: checksum.width, to: &bytes)
  }

  /// Moves the bytes that were appended last to the place that waits for them.
  private mutating func moveBytes(from end: Int, to place: Int) {
    for index in end..<bytes.count { bytes[place + index - end] = bytes[index] }
    bytes.removeLast(bytes.count - end)
  }
}
