import Framing

// MARK: Lengths and checksums

extension TemplateBuilder {
  /// Fills in what is pending: the lengths, then the checksums over them.
  mutating func complete(_ message: MessageTemplate) throws(EncodingError) {
    if awaitsVarint { try insertMessageSizes(message) }
    try fillLengths(message)
    for case .checksum(let index, let place) in pending {
      let (check, end) = (message.program.checks[index], bytes.count)
      try append(check.checksum, over: try coverage(of: check, after: place))
      moveBytes(from: end, to: place)
    }
  }

  /// Fills in the lengths of what is in the row of a group that has just been built; nil: all lengths.
  mutating func fillLengths(
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
  mutating func append(_ check: TemplateProgram.Check, _ index: Int) throws(EncodingError) {
    // That of a definition may fail, and other problems come first.
    if pending.isEmpty, check.checksum.definition == nil {
      return try append(check.checksum, over: try coverage(of: check, after: bytes.count))
    }
    pending.append(.checksum(index, at: bytes.count))
    bytes += repeatElement(0, count: check.checksum.width)
  }

  private func coverage(
    of check: TemplateProgram.Check, after count: Int
  ) throws(EncodingError) -> Range<Int> {
    guard let coverage = check.coverage(after: count) else {
      throw .tooShort(count: count, needed: max(check.from, check.through.map { $0 + 1 } ?? 0))
    }
    return coverage
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

// MARK: Varints

extension TemplateBuilder {
  /// Appends a length that is known, or leaves room for one that must wait. A varint gets its room with its number.
  mutating func append(
    _ length: TemplateProgram.Length, _ index: Int, of message: MessageTemplate
  ) throws(EncodingError) {
    guard length.encoding.endsItself else {
      pending.append(.length(index, at: bytes.count))
      bytes += repeatElement(0, count: length.encoding.size ?? 0)
      return
    }
    if length.follows {
      bytes += try length.varint(measured(length.measure, message))
    } else {
      pending.append(.length(index, at: bytes.count))
      awaitsVarint = true
    }
  }

  /// Inserts the varints with the length of what has just been built.
  mutating func insertLengths(of slot: Int, _ message: MessageTemplate) throws(EncodingError) {
    try insertVarints(message) { $0.slot == slot }
  }

  /// Inserts the varints with the size of the message, which they are part of.
  private mutating func insertMessageSizes(_ message: MessageTemplate) throws(EncodingError) {
    let lengths = pending.compactMap { part -> TemplateProgram.Length? in
      guard case .length(let length, _) = part else { return nil }
      let found = message.program.lengths[length]
      return found.encoding.endsItself ? found : nil
    }
    var size = bytes.count + lengths.count
    for _ in 0...Varint.mostBytes {
      let before = size
      size = bytes.count
      for length in lengths { size += try length.varint(before).count }
      if size == before { return try insertVarints(message, messageSize: size) { $0 == .message } }
    }
    throw .noLength(size)
  }

  /// Inserts the varints that measure something; what is pending after them moves.
  private mutating func insertVarints(
    _ message: MessageTemplate, messageSize: Int = 0,
    where isMeasured: (TemplateProgram.Length.Measure) -> Bool
  ) throws(EncodingError) {
    var moved = 0
    var waiting = 0
    for part in pending {
      let part = part.moved(by: moved)
      if case .length(let length, let place) = part, case let length = message.program.lengths[length],
        length.encoding.endsItself, isMeasured(length.measure)
      {
        let number = length.measure == .message ? messageSize : measured(length.measure, message)
        let varint = try length.varint(number)
        bytes.insert(contentsOf: varint, at: place)
        moved += varint.count
      } else {
        pending[waiting] = part
        waiting += 1
      }
    }
    pending.removeLast(pending.count - waiting)
  }
}

extension TemplateProgram.Length {
  /// The bytes of a length.
  fileprivate func varint(_ measured: Int) throws(EncodingError) -> [UInt8] {
    let number = Int64(measured + adding)
    if encoding == .varint(signed: false), number < 0 { throw .outOfRange(number, 0...(.max)) }
    var bytes: [UInt8] = []
    try encoding.encode(.integer(number), into: &bytes)
    return bytes
  }
}

extension TemplateBuilder.Pending {
  fileprivate func moved(by distance: Int) -> Self {
    switch self {
    case .length(let length, let place): .length(length, at: place + distance)
    case .checksum(let check, let place): .checksum(check, at: place + distance)
    }
  }
}
