/// Builds a message from values.
struct TemplateBuilder {
  /// What is known of a slot, where another part needs it.
  struct Register {
    var size = 0
    var count = 0
  }

  /// A part that is filled in after those that it depends on, with the index of its first byte.
  enum Pending {
    case length(Int, at: Int)
    case checksum(Int, at: Int)
  }

  let limit: Int
  var bytes: [UInt8] = []
  private var index = 0
  var registers: [Register]
  /// The repeated parts that are being built, the innermost last.
  var groups: [(slot: Int, rows: [[Value?]], row: Int)] = []
  var pending: [Pending] = []
  /// Whether a varint waits for the length of what follows it.
  var awaitsVarint = false

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
    case .field(let slot), .varint(let slot):
      let start = bytes.count
      try message.program.encodings[slot]?.encode(try value(of: slot, message, values), into: &bytes)
      if let register = message.program.slots[slot].register {
        registers[register].size = bytes.count - start
        if awaitsVarint { try insertLengths(of: slot, message) }
      }
    case .written(let slot, let asText): write(try value(of: slot, message, values), asText: asText)
    case .bits(let layout): try appendBits(layout, of: message, values)
    case .protobuf(let index, let slot): try appendProtobuf(index, slot, of: message, values)
    case .checksum(let check): try append(message.program.checks[check], check)
    case .length(let length): try append(message.program.lengths[length], length, of: message)
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
  func given(_ slot: Int, _ message: MessageTemplate, _ values: [Value?]) -> Value? {
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
    let start = bytes.count
    var bits: UInt64 = 0
    if layout.width > 8 { bytes += repeatElement(0, count: layout.width) }
    for part in layout.parts {
      let number =
        switch part.content {
        case .fixed(let value): value
        case .slot(let slot): try part.number(of: try value(of: slot, message, values))
        }
      if layout.width > 8 {
        layout.put(number, at: part, into: &bytes, from: start)
      } else {
        bits |= number << part.shift
      }
    }
    if layout.width <= 8 { layout.order.append(bits, width: layout.width, to: &bytes) }
  }
}

extension MessageTemplate {
  func missing(_ slot: Int) -> EncodingError { .missing(fields[program.slots[slot].field].name) }
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
        if awaitsVarint { try insertLengths(of: slot, message) }
      }
    default: break
    }
  }
}
