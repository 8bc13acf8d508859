/// Splits a byte stream into frames.
///
/// Every byte comes out once and in order: in a frame (without its delimiter if the rule cuts it) or as
/// discarded with a reason. After a bad packet the search continues at the next possible start
/// *inside* that packet, so that it finds a good packet after a false start. The framer keeps at most
/// `rule.maxLength` bytes and looks at each byte at most that often.
package struct Framer: Sendable {
  package let rule: FramingRule

  /// Bytes that are neither in a frame nor discarded yet.
  private(set) package var pending: [UInt8] = []
  private var scanner: any FrameScanner
  private var lastArrival = Instant()

  package init(_ rule: FramingRule) {
    self.rule = rule
    scanner = rule.scanner
  }

  /// When to call `expire` if no byte arrives before.
  package var deadline: Instant? {
    guard !pending.isEmpty, let silence = rule.silence else { return nil }
    return lastArrival.advanced(by: silence)
  }

  /// Takes the bytes of one write.
  package mutating func append(_ bytes: [UInt8], at now: Instant) -> [FramerOutput] {
    append(bytes, during: now...now)
  }

  /// Takes bytes that arrived without a silence between them.
  ///
  /// - Parameter times: when the first byte and the last one arrived; this may be long ago.
  package mutating func append(_ bytes: [UInt8], during times: ClosedRange<Instant>) -> [FramerOutput] {
    guard !bytes.isEmpty else { return rule.shape == .raw ? [.frame([])] : [] }
    var outputs = expire(at: times.lowerBound)
    lastArrival = times.upperBound
    if pending.isEmpty { pending = bytes } else { pending += bytes }
    drain(into: &outputs) { scanner, bytes in scanner.next(in: bytes) }
    return outputs
  }

  /// Ends a frame, or discards an unfinished one, after the deadline. Does nothing before it.
  package mutating func expire(at now: Instant) -> [FramerOutput] {
    guard let silence = rule.silence, now >= lastArrival.advanced(by: silence) else { return [] }
    return settle(.gap(silence))
  }

  /// Discards unfinished bytes at the end of the stream, as when a central disconnects.
  package mutating func finish() -> [FramerOutput] {
    settle(.endOfStream)
  }
}

extension Framer {
  private mutating func settle(_ reason: DiscardReason) -> [FramerOutput] {
    var outputs: [FramerOutput] = []
    drain(into: &outputs) { scanner, bytes in
      let step = scanner.next(in: bytes)
      return step == .needsMore ? scanner.last(in: bytes, reason) : step
    }
    scanner.reset()
    return outputs
  }

  private mutating func drain(
    into outputs: inout [FramerOutput],
    step: (inout any FrameScanner, Span<UInt8>) -> FrameScannerStep
  ) {
    let bytes = pending
    pending = []
    var position = 0
    while position < bytes.count {
      let next = step(&scanner, bytes.span.extracting(position...))
      guard let output = next.output(at: position, in: bytes) else { break }
      outputs.append(output)
      position += next.length
    }
    pending = position == 0 ? bytes : Array(bytes[position...])
  }
}
