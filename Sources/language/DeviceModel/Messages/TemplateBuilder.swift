import Framing

/// Builds a message from values.
struct TemplateBuilder {
  private let program: TemplateProgram
  private let values: [Value?]
  private let limit: Int
  private let names: [String]

  private var bytes: [UInt8] = []
  private var index = 0
  /// The repeated parts that are being built, the innermost last.
  private var groups: [(slot: Int, rows: [[Value?]], row: Int)] = []
  /// The bytes that each slot took, where another part needs them, and the rows of each group. Most messages need neither.
  private lazy var sizes = [Int](repeating: 0, count: program.slots.count)
  private lazy var counts = [Int](repeating: 0, count: program.slots.count)
  /// Lengths that are filled in after the parts that they count.
  private var lengths: [(length: TemplateProgram.Length, at: Int)] = []
  private var checksums: [(checksum: Checksum, coverage: Range<Int>, at: Int)] = []

  /// - Parameter names: the names of the fields.
  init(_ program: TemplateProgram, values: [Value?], limit: Int, names: [String]) {
    self.program = program
    self.values = values
    self.limit = limit
    self.names = names
    bytes.reserveCapacity(program.sizes.lowerBound)
  }

  mutating func run() throws(EncodingError) -> [UInt8] {
    while index < program.instructions.count {
      let instruction = program.instructions[index]
      index += 1
      try perform(instruction)
      guard bytes.count <= limit else { throw .tooLong(count: bytes.count, limit: limit) }
    }
    try fillLengths { _ in true }
    for (checksum, coverage, place) in checksums {
      let check: [UInt8]
      do { check = try checksum.compute(bytes[coverage]) } catch {
        throw .noChecksum(checksum.name, problem: error.description)
      }
      replace(at: place, by: check)
    }
    return bytes
  }

  private mutating func perform(_ instruction: TemplateProgram.Instruction) throws(EncodingError) {
    switch instruction {
    case .literal(let literal, _): bytes += literal
    case .field(let slot, let encoding):
      let start = bytes.count
      try encoding.encode(try value(of: slot), into: &bytes)
      if program.slots[slot].register != nil { sizes[slot] = bytes.count - start }
    case .written(let slot, let asText): write(try value(of: slot), asText: asText)
    case .bits(let layout): try append(layout)
    case .checksum(let checksum, let from, let through): try reserve(checksum, from, through)
    case .length(let length):
      lengths.append((length, bytes.count))
      bytes += repeatElement(0, count: length.encoding.size ?? 0)
    case .pad(let size, let byte):
      guard bytes.count <= size else { throw .tooLong(count: bytes.count, limit: size) }
      bytes += repeatElement(byte, count: size - bytes.count)
    case .skip(let count): bytes += repeatElement(0, count: count)
    case .maybe(let slots, let otherwise): if try !isGiven(slots) { index = otherwise }
    case .conditional(let slot, let otherwise): if isZero(slot) { index = otherwise }
    case .repeatBegin, .row, .rowEnd, .repeatDone: try repeatPart(instruction)
    }
  }
}

// MARK: Values

extension TemplateBuilder {
  private func given(_ slot: Int) -> Value? {
    let place = program.slots[slot]
    guard let slot = place.group else { return values[place.field] }
    guard let group = groups.last(where: { $0.slot == slot }) else { return nil }
    return group.rows[group.row][place.column]
  }

  private func value(of slot: Int) throws(EncodingError) -> Value {
    guard let value = given(slot) else { throw .missing(names[program.slots[slot].field]) }
    return value
  }

  /// Whether an optional part has values: false without any of them, an error with only some.
  private func isGiven(_ slots: [Int]) throws(EncodingError) -> Bool {
    let missing = slots.filter { given($0) == nil }
    guard let first = missing.first, missing.count < slots.count else {
      return missing.isEmpty && !slots.isEmpty
    }
    throw .missing(names[program.slots[first].field])
  }

  /// Whether a number is 0, or missing because its part is absent.
  private func isZero(_ slot: Int) -> Bool {
    guard let value = given(slot) else { return true }
    return value == .integer(0)
  }

  private mutating func write(_ value: Value, asText: Bool) {
    if case .bytes(let value) = value, !asText {
      bytes += value
    } else {
      bytes += value.description.utf8
    }
  }

  private mutating func append(_ layout: BitLayout) throws(EncodingError) {
    var number: UInt64 = 0
    for (part, shift) in layout.placed {
      switch part.content {
      case .fixed(let value): number |= value << UInt64(shift)
      case .slot(let slot):
        number |= try part.number(of: try value(of: slot)) << UInt64(shift)
      }
    }
    bytes += layout.order.bytes(of: number, width: layout.width)
  }
}

// MARK: Repeated parts

extension TemplateBuilder {
  private mutating func repeatPart(_ instruction: TemplateProgram.Instruction) throws(EncodingError) {
    switch instruction {
    case .repeatBegin(let slot):
      groups.append((slot, try rows(of: slot), 0))
      sizes[slot] = bytes.count
    case .row(let slot, let allowed, let done):
      let group = groups[groups.count - 1]
      guard allowed.contains(group.rows.count) else { throw .rowCount(group.rows.count, allowed) }
      counts[slot] = group.rows.count
      if group.row == group.rows.count { index = done }
    case .rowEnd(let start):
      try fillLengths(where: isOfRow)
      groups[groups.count - 1].row += 1
      index = start
    case .repeatDone(let slot):
      groups.removeLast()
      sizes[slot] = bytes.count - sizes[slot]
    default: break
    }
  }

  private func rows(of slot: Int) throws(EncodingError) -> [[Value?]] {
    guard case .group(let rows) = try value(of: slot) else {
      preconditionFailure("'\(names[program.slots[slot].field])' was checked to be a group")
    }
    return rows
  }
}

// MARK: Lengths and checksums

extension TemplateBuilder {
  /// Fills in the lengths with the selected measures.
  private mutating func fillLengths(
    where isChosen: (TemplateProgram.Length.Measure) -> Bool
  ) throws(EncodingError) {
    let chosen = lengths.filter { isChosen($0.length.measure) }
    lengths.removeAll { isChosen($0.length.measure) }
    for (length, place) in chosen {
      var text: [UInt8] = []
      try length.encoding.encode(.integer(Int64(measured(length.measure) + length.adding)), into: &text)
      replace(at: place, by: text)
    }
  }

  private mutating func measured(_ measure: TemplateProgram.Length.Measure) -> Int {
    switch measure {
    case .message: bytes.count
    case .size(let slot): sizes[slot]
    case .count(let slot): counts[slot]
    }
  }

  /// Whether it measures the row that has just been built.
  private func isOfRow(_ measure: TemplateProgram.Length.Measure) -> Bool {
    switch measure {
    case .message: false
    case .size(let slot), .count(let slot): program.slots[slot].group == groups.last?.slot
    }
  }

  private mutating func reserve(
    _ checksum: Checksum, _ from: Int, _ through: Int?
  ) throws(EncodingError) {
    let end = through.map { $0 + 1 } ?? bytes.count
    guard from <= end, end <= bytes.count else {
      throw .tooShort(count: bytes.count, needed: max(from, end))
    }
    checksums.append((checksum, from..<end, bytes.count))
    bytes += repeatElement(0, count: checksum.width)
  }

  private mutating func replace(at place: Int, by new: [UInt8]) {
    bytes.replaceSubrange(place..<place + new.count, with: new)
  }
}
