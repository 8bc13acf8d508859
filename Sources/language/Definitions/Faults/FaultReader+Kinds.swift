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
    ("ignore", "ignore parameters"), ("fail", "fail pairing confirm-value-failed"),
    ("person", "person answers 8s late"),
    ("disconnect", "disconnect"), ("lose", "lose link"), ("reboot", "reboot"), ("stop", "stop advertising"),
    ("advertise", "advertise as \"Other\""), ("garble", "garble advertisement"), ("vanish", "vanish"),
    ("fade", "fade to -80 dBm"), ("leave", "leave range for 10s"),
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
      return .truncate(to: try count(&words, 0...4095, of: "byte", "bytes"))
    case "split":
      try words.expect("into")
      return .split(into: try count(&words, 2...512, of: "pieces"))
    case "merge": return .merge(try count(&words, 2...100, of: "values"))
    case "stall": return .stall(words.startsWithDuration ? try duration(&words) : nil)
    case "throttle":
      try words.expect("to")
      return try throttle(&words)
    case "spoil": return try spoil(&words)
    case "refuse": return try refuse(&words)
    case "answer": return .answer(try lateness(&words))
    case "confirm": return .confirm(try lateness(&words))
    case "ignore":
      try words.expect("parameters")
      return .ignoreParameters
    case "fail":
      try words.expect("pairing")
      return try failPairing(&words)
    case "person": return .person(try person(&words))
    case "disconnect": return .disconnect
    case "lose": return try lose(&words)
    case "reboot": return .reboot
    case "stop":
      try words.expect("advertising")
      return .stopAdvertising
    case "advertise": return try advertise(&words)
    case "garble":
      try words.expect("advertisement")
      return .garbleAdvertisement
    case "vanish": return .vanish
    case "fade":
      try words.expect("to")
      return .fade(to: try count(&words, RadioPath.strengths, of: "dBm"))
    case "leave":
      try words.expect("range")
      return .leaveRange
    default:
      throw TextError(.unknownKind(word.text, known: Self.examples.map(\.0)), word.range)
    }
  }

  /// `100 bytes/s`, `100 bytes/s, 256 bytes`
  private func throttle(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    let speed = try number(&words, 1...1_000_000)
    let unit = try words.next(.word("bytes/s"))
    guard unit.text == "bytes/s," || unit.text == "bytes/s" && words.take(",") else {
      guard unit.text == "bytes/s" else { throw words.unexpected(unit, insteadOf: ["bytes/s"]) }
      return .throttle(speed)
    }
    words.example = "throttle to 100 bytes/s, 256 bytes"
    return .throttle(speed, buffer: try count(&words, 1...65_536, of: "byte", "bytes"))
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

  /// `checksum`, `confirm-value`
  private func spoil(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    let word = try words.next(.word("checksum"))
    switch word.text {
    case "checksum": return .spoilChecksum
    case "confirm-value": return .spoilConfirm
    default: throw words.unexpected(word, insteadOf: ["checksum", "confirm-value"])
    }
  }

  /// The words after `refuse` that are no ATT errors.
  static let refused = ["connections", "parameters", "encryption"]

  /// `connections` and the like, or an ATT error.
  private func refuse(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    let word = try words.next(.error)
    switch word.text {
    case "connections": return .refuseConnections
    case "parameters": return .refuseParameters
    case "encryption": return .refuseEncryption
    default: break
    }
    guard let error = ATTError(named: word.text) else {
      throw TextError(.unknownErrorOfFault(word.text), word.range)
    }
    guard words.take("handle") else { return .refuse(error) }
    words.example = "refuse unlikely-error handle 0x0000"
    return .refuse(error, handle: UInt16(try number(&words, 0...0xFFFF)))
  }

  /// `confirm-value-failed`, `unspecified-reason at pairing-random`
  private func failPairing(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    let word = try words.next(.reason)
    guard let reason = PairingFailure(named: word.text) else {
      throw TextError(.unknownPairingFailure(word.text), word.range)
    }
    guard words.take("at") else { return .failPairing(reason, at: .pairingResponse) }
    words.example = "fail pairing unspecified-reason at pairing-random"
    let name = try words.next(.step)
    if let step = PairingFault.Step(rawValue: name.text) { return .failPairing(reason, at: step) }
    throw TextError(.unknownPairingStep(name.text), name.range)
  }

  /// `answers 8s late`, `refuses`, `types 111111`
  private func person(_ words: inout FaultWords) throws(TextError) -> Fault.Person {
    let word = try words.next(.word("answers"))
    switch word.text {
    case "answers": return .answers(late: try lateness(&words))
    case "refuses": return .refuses
    case "types":
      words.example = "person types 111111"
      let digits = try words.next(.passkey)
      guard let passkey = Passkey.read(digits.text) else {
        throw TextError(.notPasskeyOfFault(digits.text), digits.range)
      }
      return .types(passkey)
    default: throw words.unexpected(word, insteadOf: ["answers", "refuses", "types"])
    }
  }

  /// `2s late`, `never`
  private func lateness(_ words: inout FaultWords) throws(TextError) -> Duration? {
    if words.take("never") { return nil }
    let time = try duration(&words)
    try words.expect("late")
    return time
  }

  /// `link`, `30% of packets`
  private func lose(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    if words.take("link") { return .loseLink }
    let word = try words.next(.word("link"))
    guard word.text.hasSuffix("%") else {
      throw words.unexpected(word, insteadOf: ["link", "30% of packets"])
    }
    words.example = "lose 30% of packets"
    guard let percent = IntegerText.parse(String(word.text.dropLast())), (1...99).contains(percent) else {
      throw TextError(.outOfRange(word.text, 1...99), word.range)
    }
    try words.expect("of")
    try words.expect("packets")
    return .losePackets(percent: percent)
  }

  /// `as "Other"`
  private func advertise(_ words: inout FaultWords) throws(TextError) -> Fault.Kind {
    try words.expect("as")
    return .advertise(as: try words.next(.localName).text)
  }
}
