/// Finds frames that end with a silence, or once they have the greatest length.
struct IdleScanner: FrameScanner {
  let limit: Int

  func next(in bytes: Span<UInt8>) -> FrameScannerStep {
    bytes.count >= limit ? .frame(length: limit) : .needsMore
  }

  func last(in bytes: Span<UInt8>, _ reason: DiscardReason) -> FrameScannerStep {
    if case .gap = reason { return .frame(length: bytes.count) }
    return .discard(length: bytes.count, reason)
  }
}
