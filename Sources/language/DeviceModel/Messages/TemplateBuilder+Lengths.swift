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

  /// Fills in the lengths of what is in the row of a group that has just been built.
  mutating func fillLengths(_ message: MessageTemplate, ofRowOf group: Int) throws(EncodingError) {
    try fillLengths(message) { length in
      length.measure.slot.flatMap { message.program.slots[$0].group } == group
    }
  }

  /// Fills in the lengths that a condition holds for; what is pending after a varint moves, because it has no room yet.
  private mutating func fillLengths(
    _ message: MessageTemplate, messageSize: Int? = nil,
    where isMeant: (TemplateProgram.Length) -> Bool = { _ in true }
  ) throws(EncodingError) {
    var (moved, waiting) = (0, 0)
    for part in pending {
      let part = moved == 0 ? part : part.moved(by: moved)
      if case .length(let length, let place) = part, case let length = message.program.lengths[length],
        isMeant(length)
      {
        let (size, end) = (messageSize ?? measured(length.measure, message), bytes.count)
        try length.append(size, to: &bytes)
        if length.encoding.endsItself {
          moved += insertBytes(from: end, at: place)
        } else {
          moveBytes(from: end, to: place)
        }
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

  /// Moves the bytes that were appended last in front of those at a place; returns how many they are.
  private mutating func insertBytes(from end: Int, at place: Int) -> Int {
    let inserted = Array(bytes[end...])
    bytes.removeLast(inserted.count)
    bytes.insert(contentsOf: inserted, at: place)
    return inserted.count
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
      try length.append(measured(length.measure, message), to: &bytes)
    } else {
      pending.append(.length(index, at: bytes.count))
      awaitsVarint = true
    }
  }

  /// Inserts the varints with the length of what has just been built.
  mutating func insertLengths(of slot: Int, _ message: MessageTemplate) throws(EncodingError) {
    try fillLengths(message) { $0.encoding.endsItself && $0.measure.slot == slot }
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
      for length in lengths {
        var varint: [UInt8] = []
        try length.append(before, to: &varint)
        size += varint.count
      }
      if size == before {
        return try fillLengths(message, messageSize: size) {
          $0.encoding.endsItself && $0.measure == .message
        }
      }
    }
    throw .noLength(size)
  }
}

extension TemplateProgram.Length {
  /// Appends a length.
  fileprivate func append(_ measured: Int, to bytes: inout [UInt8]) throws(EncodingError) {
    let number = Int64(measured + adding)
    if encoding == .varint(signed: false), number < 0 { throw .outOfRange(number, 0...(.max)) }
    try encoding.encode(.integer(number), into: &bytes)
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
