import Bluetooth

/// Why a section fails.
enum Problem: Error, Sendable {
  /// What came is not what must come.
  case differs(String)
  /// Something else came first.
  case outOfOrder(String)
  case nothingCame(within: Duration)
  /// No line expects it.
  case unexpected(String)
  case mistimed(found: Duration, expected: Duration, since: Int, on: TestBedTiming)
  case late(found: Duration, limit: Duration, since: Int, on: TestBedTiming)
  case refused(ATTError)
  case notRefused(ATTError)
  case refusedWith(ATTError, not: ATTError)
  case notAdvertising
  case advertising
  case impossible(String)
}

extension Problem: CustomStringConvertible {
  var description: String {
    switch self {
    case .differs(let difference): difference
    case .outOfOrder(let arrival): "something else came first: \(arrival)"
    case .nothingCame(let limit): "nothing came within \(Phrase.duration(limit))"
    case .unexpected(let arrival): "no line expects this: \(arrival)"
    case .mistimed(let found, let expected, let line, let timing) where found < .zero:
      "came \(Phrase.duration(.zero - found)) before line \(line) was over, not "
        + "\(Phrase.duration(expected)) after it\(timing.share)"
    case .mistimed(let found, let expected, let line, let timing):
      "came \(Phrase.duration(found)) after line \(line), not \(Phrase.duration(expected))\(timing.share)"
    case .late(let found, let limit, let line, let timing):
      "came \(Phrase.duration(found)) after line \(line), not within \(Phrase.duration(limit))\(timing.share)"
    case .refused(let error): "refused: \(error)"
    case .notRefused(let error): "accepted, not refused with \(error.name)"
    case .refusedWith(let found, let expected): "refused with \(found.name), not with \(expected.name)"
    case .notAdvertising: "the device does not advertise"
    case .advertising: "the device advertises"
    case .impossible(let message): message
    }
  }
}

extension TestBedTiming {
  /// How much of a time was granted to the machine.
  fileprivate var share: String {
    guard answer > .zero else { return "" }
    return
      " (and \(Phrase.duration(lateness)) for this machine, whose slowest answer took \(Phrase.duration(answer)))"
  }
}
