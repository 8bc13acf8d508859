/// Finds packets of several formats.
///
/// At each place it tries the formats in order, and waits while a packet may still become whole before it tries the next
/// format, so that the pieces in which bytes arrive do not matter. If no packet begins there, it discards up to the next
/// place at which one of any format may begin.
struct AlternativesScanner: FrameScanner {
  private var scanners: [PacketScanner]

  init(formats: [PacketFormat], limit: Int) {
    scanners = formats.map { PacketScanner(format: $0, limit: limit) }
  }

  mutating func next(in bytes: Span<UInt8>) -> FrameScannerStep {
    var discarded: FrameScannerStep?
    for index in scanners.indices {
      let step = scanners[index].next(in: bytes)
      switch step {
      case .frame:
        reset()
        return step
      case .needsMore: return step
      case .discard: discarded = Self.nearer(discarded, step)
      }
    }
    reset()
    return discarded ?? .needsMore
  }

  mutating func last(in bytes: Span<UInt8>, _ reason: DiscardReason) -> FrameScannerStep {
    var length = bytes.count
    defer { reset() }
    for index in scanners.indices {
      let step = scanners[index].next(in: bytes)
      if case .frame = step { return step }
      length = min(length, step == .needsMore ? scanners[index].last(in: bytes, reason).length : step.length)
    }
    return .discard(length: length, reason)
  }

  mutating func reset() {
    for index in scanners.indices { scanners[index].reset() }
  }

  /// The smaller of two discards, so that no beginning of a packet is lost. Its reason is that of the format that
  /// begins here, if one does.
  private static func nearer(_ one: FrameScannerStep?, _ other: FrameScannerStep) -> FrameScannerStep {
    guard case .discard(let first, let reason)? = one, case .discard(let second, let another) = other else {
      return other
    }
    return .discard(length: min(first, second), reason.isNoStart ? another : reason)
  }
}

extension DiscardReason {
  fileprivate var isNoStart: Bool { if case .noStart = self { true } else { false } }
}
