import Definitions
import DeviceModel

/// Lines that say what must come, and when.
extension LineParser {
  static let durationHint = "a number with ms, s or min, as in 200ms"

  func value(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    let characteristic = try notifying(&words)
    return try expect(from: .characteristic(characteristic), pattern(&words), &words)
  }

  func wireOut(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    try wire(&words)
    return try expect(from: .wire, pattern(&words), &words)
  }

  func disconnected(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    try expect(from: .disconnection, nil, &words)
  }

  /// Whether the value ends before it: what follows says when it comes, and how often.
  static func isBehindValue(_ token: Token) -> Bool {
    token.word.map(["after", "within", "repeated"].contains) ?? false
  }

  private func expect(
    from source: Arrival.Source, _ value: ValuePattern?, _ words: inout Words
  ) throws(Diagnostic) -> Step.Action {
    var expectation = Expectation(source: source, value: value)
    while let word = words.next() {
      switch word.word {
      case "after" where expectation.after == nil:
        expectation.after = try duration(words.next("a duration", hint: Self.durationHint), words)
      case "within" where expectation.within == nil:
        expectation.within = try duration(words.next("a duration", hint: Self.durationHint), words)
      case "repeated" where !expectation.isRepeated && value != nil:
        expectation.isRepeated = true
      default:
        let hint = "after 300ms, or within 20s" + (value == nil ? "" : "; repeated")
        throw words.error("nothing more belongs here", at: word.range, hint: hint)
      }
    }
    return .expect(expectation)
  }

  /// `FFE0/FFE1 FFE0/FFE2`
  func found(_ words: inout Words) throws(Diagnostic) -> [FoundCharacteristic] {
    let hint = "a service's UUID and a characteristic's, as in FFE0/FFE1"
    var found: [FoundCharacteristic] = []
    var next: Token? = try words.next("what it finds", hint: hint)
    while let token = next {
      guard let characteristic = token.word.flatMap({ FoundCharacteristic($0) }) else {
        throw words.error("expected SERVICE/CHARACTERISTIC", at: token.range, hint: hint)
      }
      found.append(characteristic)
      next = words.next()
    }
    return found
  }

  func duration(_ token: Token, _ words: Words) throws(Diagnostic) -> Duration {
    if let milliseconds = token.word.flatMap(DurationText.parse) {
      return try duration(milliseconds, token, words)
    }
    throw words.error("expected a duration", at: token.range, hint: Self.durationHint)
  }

  /// `+5s`
  func pause(_ token: Token, _ words: Words) throws(Diagnostic) -> Duration {
    let text = String(token.word?.dropFirst() ?? "")
    if let milliseconds = DurationText.parse(text) { return try duration(milliseconds, token, words) }
    throw words.error("expected a duration behind '+'", at: token.range, hint: Self.durationHint)
  }

  /// In memory a year passes as well, but with all that a device does in it.
  private func duration(_ milliseconds: Int, _ token: Token, _ words: Words) throws(Diagnostic) -> Duration {
    guard milliseconds <= Rule.longestDuration else {
      throw words.error(
        "a duration is at most \(Rule.longestDuration / 86_400_000) days", at: token.range)
    }
    return .milliseconds(milliseconds)
  }
}
