/// Puts the pieces of a byte stream together into frames.
///
/// Every byte comes out again, once and in order: in a frame (whose delimiter may be cut off) or as
/// discarded with the reason. After a bad packet the search goes on at the next possible start
/// *inside* that packet, so that a good one behind a false start is found. At most
/// `rule.maxLength` bytes are kept, and no byte is looked at more often than that.
package struct Framer: Sendable {
  package let rule: FramingRule

  /// Bytes without a verdict yet.
  private var pending: [UInt8] = []
  private var scanner: any FrameScanner
  private var lastArrival = Instant()

  package init(_ rule: FramingRule) {
    self.rule = rule
    scanner = rule.scanner
  }

  /// When `expire` has something to do if no byte comes before.
  package var deadline: Instant? {
    guard !pending.isEmpty, let silence = rule.silence else { return nil }
    return lastArrival.advanced(by: silence)
  }

  /// Takes in what one write brought.
  package mutating func append(_ bytes: [UInt8], at now: Instant) -> [FramerOutput] {
    append(bytes, during: now...now)
  }

  /// Takes in what came without a silence.
  ///
  /// - Parameter times: when the first byte had come, and when the last; perhaps long ago.
  package mutating func append(_ bytes: [UInt8], during times: ClosedRange<Instant>) -> [FramerOutput] {
    guard !bytes.isEmpty else { return rule.shape == .raw ? [.frame([])] : [] }
    var outputs = expire(at: times.lowerBound)
    lastArrival = times.upperBound
    if pending.isEmpty { pending = bytes } else { pending += bytes }
    drain(into: &outputs) { scanner, bytes in scanner.next(in: bytes) }
    return outputs
  }

  /// Settles what has waited for more bytes too long. Before the deadline nothing happens.
  package mutating func expire(at now: Instant) -> [FramerOutput] {
    guard let silence = rule.silence, now >= lastArrival.advanced(by: silence) else { return [] }
    return settle(.gap(silence))
  }

  /// Settles what is unfinished because the stream ended, as when a central disconnects.
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
