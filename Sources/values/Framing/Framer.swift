/// Splits a byte stream into frames.
///
/// Every byte comes out once and in order: in a frame (without its delimiter if the rule cuts it) or as
/// discarded with a reason. After a bad packet the search continues at the next possible start
/// *inside* that packet, so that it finds a good packet after a false start. The framer keeps at most
/// `rule.maxLength` bytes and looks at each byte at most that often.
package struct Framer: Sendable {
  /// Why all pending bytes come out.
  private enum Ending {
    case gap(Duration)
    case endOfStream

    var reason: DiscardReason {
      switch self {
      case .gap(let silence): .gap(silence)
      case .endOfStream: .endOfStream
      }
    }
  }

  private var scanner: any FrameScanner
  private let isRaw: Bool
  /// The silence that ends a frame or discards an unfinished one; nil: none does.
  private let silence: Duration?
  /// Bytes that are neither in a frame nor discarded yet, once ``next()`` has returned nil.
  private(set) package var pending: [UInt8] = []
  /// Where those begin that ``next()`` has not returned yet.
  private var position = 0
  private var lastArrival = Instant()
  /// nil: those bytes stay that may become a frame.
  private var ending: Ending?
  /// Whether a write without bytes is a frame that has not come out.
  private var hasEmptyFrame = false

  package init(_ rule: FramingRule) {
    scanner = rule.scanner
    isRaw = if case .raw = rule.shape { true } else { false }
    silence = rule.silence
  }

  /// When to call `expire` if no byte arrives before.
  package var deadline: Instant? {
    guard !pending.isEmpty, let silence else { return nil }
    return lastArrival.advanced(by: silence)
  }
}

// MARK: One output after the other

extension Framer {
  /// Takes bytes that arrived without a silence between them, after all earlier output has come out (``next()``).
  ///
  /// - Parameter times: when the first byte and the last one arrived; this may be long ago.
  package mutating func take(_ bytes: [UInt8], during times: ClosedRange<Instant>) {
    guard !bytes.isEmpty else {
      hasEmptyFrame = isRaw
      return
    }
    lastArrival = times.upperBound
    if pending.isEmpty { pending = bytes } else { pending += bytes }
  }

  /// Ends a frame, or discards an unfinished one, after the deadline; returns whether that has passed.
  package mutating func expires(at now: Instant) -> Bool {
    guard let silence, now >= lastArrival.advanced(by: silence) else { return false }
    ending = .gap(silence)
    return true
  }

  /// Discards unfinished bytes at the end of the stream, as when a central disconnects.
  package mutating func end() { ending = .endOfStream }

  /// The next frame or discarded bytes; nil: more bytes must arrive before.
  package mutating func next() -> FramerOutput? {
    if position < pending.count {
      var step = scanner.next(in: pending, from: position)
      if let ending, step.isUndecided {
        step = scanner.last(in: pending, from: position, ending.reason)
      }
      if let output = step.output(at: position, in: pending) {
        position += step.length
        if position == pending.count { (pending, position) = ([], 0) }
        return output
      }
      if position > 0 { pending.removeFirst(position) }
      position = 0
    } else if hasEmptyFrame {
      hasEmptyFrame = false
      return .frame([])
    }
    if ending != nil {
      scanner.reset()
      ending = nil
    }
    return nil
  }
}

// MARK: All output at once

extension Framer {
  /// Takes the bytes of one write.
  package mutating func append(_ bytes: [UInt8], at now: Instant) -> [FramerOutput] {
    append(bytes, during: now...now)
  }

  /// Takes bytes that arrived without a silence between them.
  ///
  /// - Parameter times: when the first byte and the last one arrived; this may be long ago.
  package mutating func append(_ bytes: [UInt8], during times: ClosedRange<Instant>) -> [FramerOutput] {
    let outputs = bytes.isEmpty ? [] : expire(at: times.lowerBound)
    take(bytes, during: times)
    return outputs + rest()
  }

  /// Ends a frame, or discards an unfinished one, after the deadline. Does nothing before it.
  package mutating func expire(at now: Instant) -> [FramerOutput] { expires(at: now) ? rest() : [] }

  /// Discards unfinished bytes at the end of the stream, as when a central disconnects.
  package mutating func finish() -> [FramerOutput] {
    end()
    return rest()
  }

  private mutating func rest() -> [FramerOutput] {
    var outputs: [FramerOutput] = []
    while let output = next() { outputs.append(output) }
    return outputs
  }
}
