import Bluetooth
import DeviceModel

/// The kinds of faults, each with its own numbers.
extension FaultReader {
  /// The words that begin a kind, each with an example.
  static let examples = [
    ("drop", "drop"), ("duplicate", "duplicate"), ("delay", "delay 200ms jitter 50ms"),
    ("reorder", "reorder"), ("corrupt", "corrupt 2 bits"), ("truncate", "truncate to 5 bytes"),
    ("split", "split into 3 pieces"), ("merge", "merge 2 values"), ("stall", "stall 5s"),
    ("throttle", "throttle to 100 bytes/s"), ("spoil", "spoil checksum"),
    ("refuse", "refuse write-not-permitted"), ("answer", "answer 2s late"), ("confirm", "confirm 2s late"),
    ("disconnect", "disconnect"), ("reboot", "reboot"), ("stop", "stop advertising"),
    ("advertise", "advertise as \"Other\""), ("garble", "garble advertisement"), ("vanish", "vanish"),
  ]

  func kind(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    let word = try words.next(.kind)
    words.example = Self.examples.first { $0.0 == word.text }?.1
    defer { words.example = nil }
    return try kind(word, &words)
  }

  private func kind(_ word: FaultWord, _ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    switch word.text {
    case "drop": return .drop
    case "duplicate": return .duplicate
    case "delay": return try delay(&words)
    case "reorder": return .reorder
    case "corrupt": return try corrupt(&words)
    case "truncate":
      try words.expect("to")
      return .truncate(to: try count(&words, 0...511, of: "byte", "bytes"))
    case "split":
      try words.expect("into")
      return .split(into: try count(&words, 2...512, of: "pieces"))
    case "merge": return .merge(try count(&words, 2...100, of: "values"))
    case "stall": return .stall(words.startsWithDuration ? try duration(&words) : nil)
    case "throttle":
      try words.expect("to")
      return .throttle(try count(&words, 1...1_000_000, of: "bytes/s"))
    case "spoil":
      try words.expect("checksum")
      return .spoilChecksum
    case "refuse": return try refuse(&words)
    case "answer": return .answer(try lateness(&words))
    case "confirm": return .confirm(try lateness(&words))
    case "disconnect": return .disconnect
    case "reboot": return .reboot
    case "stop":
      try words.expect("advertising")
      return .stopAdvertising
    case "advertise": return try advertise(&words)
    case "garble":
      try words.expect("advertisement")
      return .garbleAdvertisement
    case "vanish": return .vanish
    default:
      throw TextError(FaultMistake.unknownKind(word.text, known: Self.examples.map(\.0)), word.range)
    }
  }

  /// `200ms`, `200ms jitter 50ms`
  private func delay(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    let time = try duration(&words)
    return .delay(time, jitter: words.take("jitter") ? try duration(&words) : nil)
  }

  /// `2 bits`, `1 byte`
  private func corrupt(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    let number = try number(&words, 1...512)
    let unit = try words.next(.word("bits"))
    switch unit.text {
    case "bit", "bits": return .corrupt(number, .bits)
    case "byte", "bytes": return .corrupt(number, .bytes)
    default: throw words.unexpected(unit, insteadOf: ["bits", "bytes"])
    }
  }

  /// `connections`, or an ATT error.
  private func refuse(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    let word = try words.next(.error)
    if word.text == "connections" { return .refuseConnections }
    if let error = ATTError(named: word.text) { return .refuse(error) }
    throw TextError(FaultMistake.unknownError(word.text), word.range)
  }

  /// `2s late`, `never`
  private func lateness(_ words: inout FaultWords) throws(TextError) -> Duration? {
    if words.take("never") { return nil }
    let time = try duration(&words)
    try words.expect("late")
    return time
  }

  /// `as "Other"`
  private func advertise(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    try words.expect("as")
    return .advertise(as: try words.next(.localName).text)
  }
}
