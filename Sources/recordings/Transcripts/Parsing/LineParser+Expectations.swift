import Behavior
import Definitions
import DeviceModel

/// Lines with expected output and its time.
extension LineParser {
  func value(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    let place: Endpoint =
      if let other = otherPlace(&words) { other } else { .characteristic(try notifying(&words)) }
    return try expect(from: .place(place), pattern(&words), &words)
  }

  func pdu(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    try expect(from: .pdu, pattern(&words), &words)
  }

  func wireOut(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    try wire(&words)
    return try expect(from: .place(.wire), pattern(&words), &words)
  }

  func disconnected(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    try expect(from: .disconnection, nil, &words)
  }

  /// Whether a word follows the value: `after`, `within` or `repeated`.
  static func followsValue(_ token: Token) -> Bool {
    token.word.map(["after", "within", "repeated"].contains) ?? false
  }

  func expect(
    from source: Arrival.Source, _ value: ValuePattern?, _ words: inout Words
  ) throws(Diagnostic) -> Step.Action {
    var expectation = Expectation(source: source, value: value)
    let canRepeat = value != nil && !source.isNoted
    while let word = words.next() {
      switch word.word {
      case "after" where expectation.after == nil:
        expectation.after = try durations(words.next(.duration), words)
      case "within" where expectation.within == nil:
        expectation.within = try duration(words.next(.duration), words)
      case "repeated" where !expectation.isRepeated && canRepeat:
        expectation.isRepeated = true
      default:
        throw words.error(.excessAfter(value: canRepeat), at: word.range)
      }
    }
    return .expect(expectation)
  }

  /// `FFE0/FFE1 FFE0/FFE2`
  func found(_ words: inout Words) throws(Diagnostic) -> [FoundCharacteristic] {
    var found: [FoundCharacteristic] = []
    var next: Token? = try words.next(.foundCharacteristic)
    while let token = next {
      guard let characteristic = token.word.flatMap({ FoundCharacteristic($0) }) else {
        throw words.error(.notFoundCharacteristic, at: token.range)
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
    throw words.error(.notDuration(afterPlus: false), at: token.range)
  }

  /// `2s`, or `2s..2.1s`
  private func durations(_ token: Token, _ words: Words) throws(Diagnostic) -> ClosedRange<Duration> {
    let text = token.word ?? ""
    guard let dots = text.indices.first(where: { text[$0...].hasPrefix("..") }) else {
      let exact = try duration(token, words)
      return exact...exact
    }
    let texts = [String(text[..<dots]), String(text[dots...].dropFirst(2))]
    let ends = texts.compactMap(DurationText.parse)
    guard ends.count == 2 else { throw words.error(.notDuration(afterPlus: false), at: token.range) }
    let (least, most) = (try duration(ends[0], token, words), try duration(ends[1], token, words))
    guard least <= most else { throw words.error(.endsBeforeBeginning, at: token.range) }
    return least...most
  }

  /// `+5s`
  func pause(_ token: Token, _ words: Words) throws(Diagnostic) -> Duration {
    let text = String(token.word?.dropFirst() ?? "")
    if let milliseconds = DurationText.parse(text) { return try duration(milliseconds, token, words) }
    throw words.error(.notDuration(afterPlus: true), at: token.range)
  }

  /// Checks the length. A long time is slow even in memory, because the device does all its work in it.
  private func duration(_ milliseconds: Int, _ token: Token, _ words: Words) throws(Diagnostic) -> Duration {
    guard milliseconds <= Rule.longestDuration else {
      throw words.error(.longDuration(mostDays: Int(Rule.longestDuration / 86_400_000)), at: token.range)
    }
    return .milliseconds(milliseconds)
  }
}
