/// Takes everything up to a silence for a frame.
struct IdleScanner: FrameScanner {
  let limit: Int

  /// The frame has outgrown the limit: what still comes before the silence belongs to it.
  private var isSkipping = false

  init(limit: Int) {
    self.limit = limit
  }

  mutating func next(in bytes: Span<UInt8>) -> FrameScannerStep {
    isSkipping = isSkipping || bytes.count > limit
    return isSkipping ? .discard(length: bytes.count, .overflow(limit: limit)) : .needsMore
  }

  func last(in bytes: Span<UInt8>, _ reason: DiscardReason) -> FrameScannerStep {
    if case .gap = reason { return .frame(length: bytes.count) }
    return .discard(length: bytes.count, reason)
  }

  mutating func reset() {
    isSkipping = false
  }
}
