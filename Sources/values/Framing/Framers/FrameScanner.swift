/// Finds the end of the frame at the beginning of a sequence of bytes.
///
/// A scanner may remember how far it has searched. It gets the bytes that it left again, followed by more.
protocol FrameScanner: Sendable {
  /// Decides about the beginning of `bytes`, which are never empty.
  mutating func next(in bytes: Span<UInt8>) -> FrameScannerStep

  /// Decides about bytes for which `next` needs more, if no more come. Never `needsMore`.
  mutating func last(in bytes: Span<UInt8>, _ reason: DiscardReason) -> FrameScannerStep

  /// Forgets earlier bytes.
  mutating func reset()
}

extension FrameScanner {
  func reset() {}

  mutating func next(in bytes: [UInt8], from start: Int) -> FrameScannerStep {
    next(in: bytes.span.extracting(start...))
  }

  mutating func last(in bytes: [UInt8], from start: Int, _ reason: DiscardReason) -> FrameScannerStep {
    last(in: bytes.span.extracting(start...), reason)
  }
}

/// The decision about the first `length` bytes.
enum FrameScannerStep: Equatable {
  case needsMore
  /// A frame, passed on without its last `cut` bytes.
  case frame(length: Int, cut: Int = 0)
  case discard(length: Int, DiscardReason)

  var isUndecided: Bool { if case .needsMore = self { true } else { false } }

  var length: Int {
    switch self {
    case .needsMore: 0
    case .frame(let length, _), .discard(let length, _): length
    }
  }

  func output(at position: Int, in bytes: [UInt8]) -> FramerOutput? {
    switch self {
    case .needsMore: nil
    case .frame(let length, let cut): .frame(bytes.part(position..<position + length - cut))
    case .discard(let length, let reason):
      .discarded(bytes.part(position..<position + length), reason: reason)
    }
  }
}

extension FramingRule {
  var scanner: any FrameScanner {
    switch shape {
    case .raw: RawScanner(limit: maxLength)
    case .delimited(let delimiter): DelimitedScanner(delimiter: delimiter, limit: maxLength)
    case .packet(let format): PacketScanner(format: format, limit: maxLength)
    case .alternatives(let formats): AlternativesScanner(formats: formats, limit: maxLength)
    case .idle: IdleScanner(limit: maxLength)
    }
  }
}

extension [UInt8] {
  /// These bytes of the array; the array itself if they are all.
  fileprivate func part(_ range: Range<Int>) -> [UInt8] {
    range == indices ? self : Array(self[range])
  }
}

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
