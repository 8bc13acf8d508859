/// Finds frames that end with a delimiter.
///
/// A frame beyond the limit is discarded up to its delimiter, so that its end does not become another frame.
struct DelimitedScanner: FrameScanner {
  let delimiter: Delimiter
  let limit: Int

  /// No delimiter begins before this byte.
  private var searched = 0
  private var isSkipping = false

  init(delimiter: Delimiter, limit: Int) {
    self.delimiter = delimiter
    self.limit = limit
  }

  mutating func next(in bytes: Span<UInt8>) -> FrameScannerStep {
    if isSkipping { return skip(bytes) }
    let end = firstEnd(in: bytes)
    if min(end ?? bytes.count, bytes.count) > limit { return startSkipping(bytes) }
    guard let end else { return .needsMore }
    searched = 0
    return .frame(length: end, cut: delimiter.isKept ? 0 : delimiter.bytes.count)
  }

  mutating func last(in bytes: Span<UInt8>, _ reason: DiscardReason) -> FrameScannerStep {
    .discard(length: bytes.count, isSkipping ? .overflow(limit: limit) : reason)
  }

  mutating func reset() {
    searched = 0
    isSkipping = false
  }

  private mutating func startSkipping(_ bytes: Span<UInt8>) -> FrameScannerStep {
    isSkipping = true
    searched = 0
    return skip(bytes)
  }

  /// Discards up to the delimiter, and keeps a possible beginning of one at the end.
  private mutating func skip(_ bytes: Span<UInt8>) -> FrameScannerStep {
    searched = 0
    let end = firstEnd(in: bytes)
    isSkipping = end == nil
    let length = end ?? bytes.count - (delimiter.bytes.count - 1)
    searched = 0
    return length > 0 ? .discard(length: length, .overflow(limit: limit)) : .needsMore
  }

  /// Where the first delimiter ends.
  private mutating func firstEnd(in bytes: Span<UInt8>) -> Int? {
    let begin = bytes.firstOccurrence(of: delimiter.bytes, from: searched)
    searched = max(0, bytes.count - (delimiter.bytes.count - 1))
    return begin.map { $0 + delimiter.bytes.count }
  }
}
