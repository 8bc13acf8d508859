/// Finds packets by their start bytes, length and tail, and verifies their checksum.
///
/// After a bad packet the search continues
/// - with start bytes: at their next occurrence inside the packet;
/// - with only a tail: after its last occurrence inside the packet;
/// - with neither: after the packet; only a gap synchronises the stream again.
struct PacketScanner: FrameScanner {
  let format: PacketFormat
  let limit: Int

  /// No tail begins before this byte; used if the tail ends the packet.
  private var searched = 0

  init(format: PacketFormat, limit: Int) {
    self.format = format
    self.limit = limit
  }

  mutating func next(in bytes: Span<UInt8>) -> FrameScannerStep {
    guard bytes.mayBegin(format, at: 0) else { return discardToStart(bytes) }
    guard bytes.count >= format.start.count else { return .needsMore }
    switch format.extent {
    case .fixed(let length): return packet(of: length, in: bytes)
    case .lengthField(let field): return packet(with: field, in: bytes)
    case .untilTail: return packetUntilTail(in: bytes)
    }
  }

  mutating func last(in bytes: Span<UInt8>, _ reason: DiscardReason) -> FrameScannerStep {
    reset()
    return discard(bytes.count, of: bytes, reason)
  }

  mutating func reset() {
    searched = 0
  }
}

// The length of the packet.
extension PacketScanner {
  private func packet(with field: LengthField, in bytes: Span<UInt8>) -> FrameScannerStep {
    guard bytes.count >= field.end else { return .needsMore }
    let number = field.byteOrder.number(in: bytes.extracting(field.offset..<field.end))
    let length = format.frameLength(for: Int(number), in: field)
    let allowed = format.minimumLength...max(format.minimumLength, limit)
    guard allowed.contains(length) else {
      return discard(field.end, of: bytes, .badLength(length, allowed: allowed))
    }
    return packet(of: length, in: bytes)
  }

  private func packet(of length: Int, in bytes: Span<UInt8>) -> FrameScannerStep {
    bytes.count < length ? .needsMore : proven(bytes.extracting(first: length))
  }

  private mutating func packetUntilTail(in bytes: Span<UInt8>) -> FrameScannerStep {
    let earliest = max(searched, format.minimumLength - format.tail.count)
    let tail = bytes.firstOccurrence(of: format.tail, from: earliest)
    searched = max(0, bytes.count - (format.tail.count - 1))
    guard let end = tail.map({ $0 + format.tail.count }), end <= limit else {
      return tail == nil && bytes.count < limit ? .needsMore : overflow(bytes)
    }
    searched = 0
    return proven(bytes.extracting(first: end))
  }

  private mutating func overflow(_ bytes: Span<UInt8>) -> FrameScannerStep {
    searched = 0
    return discard(limit, of: bytes, .overflow(limit: limit))
  }
}

// Verifying the packet.
extension PacketScanner {
  private func proven(_ frame: Span<UInt8>) -> FrameScannerStep {
    if let reason = tailProblem(of: frame) ?? checksumProblem(of: frame)
      ?? format.condition?.problem(with: frame.array)
    {
      return discard(frame.count, of: frame, reason)
    }
    return .frame(length: frame.count)
  }

  private func tailProblem(of frame: Span<UInt8>) -> DiscardReason? {
    let tailStart = frame.count - format.tail.count
    if frame.has(format.tail, at: tailStart) { return nil }
    return .badTail(expected: format.tail, found: frame.extracting(tailStart...).array)
  }

  private func checksumProblem(of frame: Span<UInt8>) -> DiscardReason? {
    format.checksumProblem(of: frame)
  }
}

extension PacketFormat {
  /// Why a whole frame does not have the checksum of this format; nil: it has it, or the format has none.
  package func checkProblem(of frame: [UInt8]) -> DiscardReason? {
    guard check != nil || condition != nil else { return nil }
    guard frame.count >= minimumLength else {
      return .badLength(
        frame.count, allowed: minimumLength...max(minimumLength, FramingRule.defaultMaxLength))
    }
    return checksumProblem(of: frame.span) ?? condition?.problem(with: frame)
  }

  fileprivate func checksumProblem(of frame: Span<UInt8>) -> DiscardReason? {
    check?.problem(with: frame.extracting(first: frame.count - tail.count))
  }
}

extension CheckField {
  /// Why a frame does not have its checksum before what trails it; nil: it has.
  ///
  /// A function of its own, because the field would be copied if it were taken out of its optional.
  fileprivate func problem(with frame: Span<UInt8>) -> DiscardReason? {
    let position = frame.count - size
    let expected: UInt32
    do { expected = try checksum.value(of: frame.extracting(start..<position)) } catch {
      return .noChecksum(checksum.name, problem: error.description)
    }
    let field = frame.extracting(position..<position + checksum.width)
    if checksum.byteOrder.number(in: field) == expected { return nil }
    return .badChecksum(expected: checksum.bytes(of: expected), found: field.array)
  }
}

// Continuing the search.
extension PacketScanner {
  private func discardToStart(_ bytes: Span<UInt8>) -> FrameScannerStep {
    let start = bytes.firstPossibleBeginning(of: format, from: 1)
    return .discard(
      length: start ?? bytes.count, .noStart(expected: format.start, mask: format.startMask))
  }

  /// Discards the first `length` bytes, or fewer if a packet may begin within them.
  private func discard(_ length: Int, of bytes: Span<UInt8>, _ reason: DiscardReason) -> FrameScannerStep {
    let bad = bytes.extracting(first: min(length, bytes.count))
    return .discard(length: nextBeginning(in: bad) ?? bad.count, reason)
  }

  private func nextBeginning(in bad: Span<UInt8>) -> Int? {
    if !format.start.isEmpty { return bad.firstPossibleBeginning(of: format, from: 1) }
    if !format.tail.isEmpty { return bad.lastEnd(of: format.tail) }
    return nil
  }
}
