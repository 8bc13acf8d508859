/// Makes each write a frame.
struct RawScanner: FrameScanner {
  let limit: Int

  func next(in bytes: Span<UInt8>) -> FrameScannerStep {
    bytes.count > limit
      ? .discard(length: bytes.count, .overflow(limit: limit)) : .frame(length: bytes.count)
  }

  func last(in bytes: Span<UInt8>, _ reason: DiscardReason) -> FrameScannerStep {
    next(in: bytes)
  }
}
