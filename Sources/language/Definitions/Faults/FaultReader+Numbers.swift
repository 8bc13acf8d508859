import DeviceModel

/// Numbers, times and rates.
extension FaultReader {
  func number(_ words: inout FaultWords, _ range: ClosedRange<Int>) throws(TextError) -> Int {
    let word = try words.next(.number)
    let number = IntegerText.parse(word.text)
    guard number != nil || (!word.text.isEmpty && word.text.allSatisfy(\.isWholeNumber)) else {
      throw TextError(.noWholeNumberOfFault(word.text), word.range)
    }
    guard let number, range.contains(number) else {
      throw TextError(.outOfRange(word.text, range), word.range)
    }
    return number
  }

  /// A number and its unit, which may have two spellings.
  func count(
    _ words: inout FaultWords, _ range: ClosedRange<Int>, of unit: String, _ plural: String? = nil
  ) throws(TextError) -> Int {
    let number = try number(&words, range)
    try words.expect(plural ?? unit, unit)
    return number
  }

  /// The longest time that a fault has.
  private static let longest = 7 * 24 * 3_600_000

  func duration(_ words: inout FaultWords) throws(TextError) -> Duration {
    let word = try words.next(.duration)
    guard let milliseconds = DurationText.parse(word.text) else {
      throw TextError(.notDuration(word.text), word.range)
    }
    guard (1...Self.longest).contains(milliseconds) else {
      throw TextError(.badFaultDuration(word.text, days: Self.longest / 86_400_000), word.range)
    }
    return .milliseconds(milliseconds)
  }

  /// `100 bytes`, `10 values`, `5 frames` or `30s`
  func amount(_ words: inout FaultWords) throws(TextError) -> Fault.Amount {
    if words.startsWithDuration { return .time(try duration(&words)) }
    let number = try number(&words, 1...1_000_000_000)
    let unit = try words.next(.word("bytes"))
    switch unit.text {
    case "byte", "bytes": return .bytes(number)
    case "value", "values": return .values(number)
    case "frame", "frames": return .frames(number)
    default: throw words.unexpected(unit, insteadOf: ["bytes", "values", "frames"])
    }
  }

  /// `10%`, with up to four decimal digits.
  func chance(_ word: FaultWord) throws(TextError) -> Fault.Rate {
    guard let percent = DecimalText.parse(String(word.text.dropLast())), percent >= 0.0001, percent <= 100
    else {
      throw TextError(.notChance, word.range)
    }
    return .chance(millionths: Int((percent * 10_000).rounded()))
  }

  /// `3rd`, or a time for faults that strike no value.
  func every(_ words: inout FaultWords, of kind: Fault.Kind) throws(TextError) -> Fault.Rate {
    let isTimed = kind.subject == .presence || (kind.subject == .moments && words.startsWithDuration)
    if isTimed { return .period(try duration(&words)) }
    let word = try words.next(.ordinal)
    let digits = word.text.prefix { $0.isNumber }
    guard let number = Int(digits), (1...1_000_000).contains(number),
      ["st", "nd", "rd", "th"].contains(word.text.dropFirst(digits.count))
    else {
      throw TextError(.notOrdinal, word.range)
    }
    return .every(number)
  }

  /// `once`, `twice`, or a number before `times`.
  func count(_ word: FaultWord, _ words: inout FaultWords) throws(TextError) -> Int {
    switch word.text {
    case "once": return 1
    case "twice": return 2
    default:
      _ = words.next()
      let (number, range) = (IntegerText.parse(word.text) ?? 0, 1...1_000_000_000)
      guard range.contains(number) else {
        throw TextError(.outOfRange(word.text, range), word.range)
      }
      return number
    }
  }
}

extension FaultWords {
  /// Whether the next word is a duration, or one with a mistake.
  var startsWithDuration: Bool {
    guard let word = peek, let first = word.text.first, first.isNumber else { return false }
    return ["ms", "s", "min", "h", "d"].contains(word.text.drop { $0.isNumber || $0 == "." })
  }
}
