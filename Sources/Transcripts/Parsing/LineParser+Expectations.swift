import Definitions
import DeviceModel

/// Lines with expected output and its time.
extension LineParser {
  static let durationHint = "write a number with ms, s or min, as in 200ms"

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

  /// Whether a word follows the value: `after`, `within` or `repeated`.
  static func followsValue(_ token: Token) -> Bool {
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
        let hint = value == nil ? "'after' or 'within'" : "'after', 'within' or 'repeated'"
        throw words.error(
          "expected the end of the line", at: word.range, hint: "only \(hint) may follow, once")
      }
    }
    return .expect(expectation)
  }

  /// `FFE0/FFE1 FFE0/FFE2`
  func found(_ words: inout Words) throws(Diagnostic) -> [FoundCharacteristic] {
    let hint = "write the UUIDs of a service and a characteristic, as in FFE0/FFE1"
    var found: [FoundCharacteristic] = []
    var next: Token? = try words.next("a characteristic", hint: hint)
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
    throw words.error("expected a duration after '+'", at: token.range, hint: Self.durationHint)
  }

  /// Checks the length. In memory, too, a long time takes long: the device does all its work in it.
  private func duration(_ milliseconds: Int, _ token: Token, _ words: Words) throws(Diagnostic) -> Duration {
    guard milliseconds <= Rule.longestDuration else {
      throw words.error(
        "a duration may be at most \(Rule.longestDuration / 86_400_000) days", at: token.range)
    }
    return .milliseconds(milliseconds)
  }
}
