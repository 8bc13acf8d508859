import Bluetooth
import DeviceModel

/// Mistakes in the text of a fault.
extension Mistake {
  /// - Parameter example: an example of the kind of fault.
  static func missingFaultPart(_ part: FaultPart, example: String?) -> Self {
    Self("\(part.noun) is missing", (example ?? part.example).map { "as in \($0)" })
  }
  static func unknownKind(_ word: String, known: [String]) -> Self {
    Self("no fault is called '\(word)'", Self.hint(forKind: word, known))
  }
  static func expectedWords(_ words: [String], example: String?) -> Self {
    Self(
      "expected \(words.map { "'\($0)'" }.joined(separator: " or "))",
      (example ?? FaultPart.word(words[0]).example).map { "as in \($0)" })
  }
  /// - Parameter next: the word after it.
  static func unexpectedWord(_ word: String, before next: String?) -> Self {
    Self(
      "unexpected '\(word)'",
      next == "bytes"
        ? "a comma precedes a buffer: throttle to 100 bytes/s, \(word) bytes" : Self.hint(forWord: word))
  }
  static func secondClause(_ clause: FaultClause) -> Self {
    Self("a fault can have '\(clause.example)' only once")
  }
  static func needlessClause(_ clause: FaultClause, _ kind: Fault.Kind) -> Self {
    Self("'\(kind)' takes no '\(clause.example)'", reason(for: kind.subject))
  }
  static func placeOfRequests(_ name: String, _ kind: Fault.Kind) -> Self {
    Self("'\(kind)' does not strike '\(name)'", "only 'refuse ERROR' and 'answer …' strike requests")
  }
  /// - Parameters:
  ///   - into: the fault that counts what a central writes.
  ///   - out: the fault that counts what the device sends.
  static func countsBothWays(into: String, out: String) -> Self {
    Self(
      "the fault counts the values of both directions together",
      "which is meant? written by a central: '\(into)'; sent by the device: '\(out)'; all of them: add 'both ways'"
    )
  }
  static func faultInLayer(_ name: String, _ kind: Fault.Kind) -> Self {
    let struck = kind.subject == .confirmations ? "indications" : "requests"
    return Self(
      "'\(kind)' strikes \(struck) of ATT, and '\(name)' is a layer, which has none",
      "name the characteristic of its fragments: '\(kind) on ID'")
  }
  static let noWireSide = Self("the device has no wire side")
  static func noMessageOfFault(_ name: String, known: [String]) -> Self {
    Self(
      "no message is called '\(name)'",
      known.isEmpty ? "the definition has no messages" : Suggestion.hint(for: name, in: known))
  }
  static func noStateOfFault(_ name: String, known: [String]) -> Self {
    Self(
      "the device has no state '\(name)'",
      known.isEmpty ? "the definition has no states" : Suggestion.hint(for: name, in: known))
  }
  static func unknownErrorOfFault(_ name: String) -> Self {
    let near = Suggestion.nearest(to: name, in: ATTError.allNames + FaultReader.refused)
    return Self(
      "'\(name)' is not an ATT error",
      near.map { "did you mean '\($0)'?" } ?? "for example write-not-permitted, 0x80, or 'refuse connections'"
    )
  }
  static func unknownPairingFailure(_ name: String) -> Self {
    Self("no pairing fails with '\(name)'", Suggestion.hint(for: name, in: PairingFailure.allNames))
  }
  static func unknownPairingStep(_ name: String) -> Self {
    Self(
      "no pairing has the step '\(name)'",
      Suggestion.hint(for: name, in: PairingFault.Step.allCases.map(\.rawValue)))
  }
  static func notTime(_ kind: Fault.Kind) -> Self {
    Self("'\(kind)' can only begin after a time", "as in after 5s")
  }
  static let notChance = Self("expected a probability, more than 0% and at most 100%", "as in 10% or 0.5%")
  static let notOrdinal = Self("expected an ordinal number", "as in every 3rd")
  static func noWholeNumberOfFault(_ text: String) -> Self {
    Self("expected a whole number, found '\(text)'")
  }
  static func badFaultDuration(_ text: String, days: Int) -> Self {
    Self("'\(text)' is not between 1 ms and \(days) days")
  }
  static let noClosingQuote = Self("the closing quote is missing")
  /// `confirm` strikes a characteristic that only indicates; nil: the device has none.
  /// - Parameter id: the characteristic that `confirm` strikes; nil: the device has none that only indicates.
  static func neverConfirmed(id: String?) -> Self {
    guard let id else { return Self("the device has no characteristic that only indicates") }
    return Self(
      "no central confirms the values of '\(id)'", "'confirm' strikes a characteristic that only indicates")
  }
  /// - Parameter types: whether it enters a passkey.
  static func nobodyIsAsked(toType types: Bool) -> Self {
    types
      ? Self(
        "nobody enters a passkey at the device",
        "it needs security: { io-capability: keyboard-only } or keyboard-display")
      : Self(
        "nobody at the device is asked when it pairs",
        "it needs security: { io-capability: display-yes-no }, keyboard-only or keyboard-display")
  }
  static func notPasskeyOfFault(_ text: String) -> Self {
    Self("'\(text)' is not a passkey, which has six digits", "as in person types 111111")
  }
  /// It begins again before it ends; true: it has a duration.
  static func neverEnds(_ hasDuration: Bool) -> Self {
    Self(
      "the fault begins again before it ends",
      hasDuration ? "'for' must be shorter than 'every'" : "add 'for DURATION', shorter than 'every'")
  }

  private static func hint(forKind word: String, _ known: [String]) -> String? {
    if word.first?.isNumber == true { return "in [ … ] a comma ends a fault: quote it" }
    if let kind = synonyms[word.lowercased()] { return "write '\(kind)'" }
    return Suggestion.nearest(to: word, in: known).map { "did you mean '\($0)'?" }
      ?? "known: " + known.joined(separator: ", ")
  }

  /// Other words for kinds.
  private static let synonyms = [
    "latency": "delay", "lag": "delay", "jitter": "delay 100ms jitter 50ms", "loss": "drop",
    "repeat": "duplicate", "double": "duplicate", "swap": "reorder", "shuffle": "reorder", "flip": "corrupt",
    "cut": "truncate", "shorten": "truncate", "join": "merge", "bandwidth": "throttle", "limit": "throttle",
    "slow": "throttle", "block": "stall", "pause": "stall", "hang": "stall", "reject": "refuse",
    "deny": "refuse", "user": "person refuses", "somebody": "person refuses", "checksum": "spoil checksum",
    "reset": "reboot", "restart": "reboot",
    "hide": "stop advertising", "rename": "advertise as \"NAME\"", "disappear": "vanish",
    "rssi": "fade to -80 dBm", "distance": "fade to -80 dBm", "out": "leave range",
  ]

  private static func hint(forWord word: String) -> String? {
    if word == "both" { return "write 'both ways'" }
    return Suggestion.nearest(to: word, in: FaultClause.words).map { "did you mean '\($0)'?" }
      ?? "possible: " + FaultClause.allCases.map(\.example).joined(separator: ", ")
  }

  /// Why a kind lacks a part.
  private static func reason(for subject: Fault.Subject) -> String? {
    switch subject {
    case .values, .moments: nil
    case .requests: "it strikes requests, which always go to the device"
    case .confirmations: "it strikes indications"
    case .linkRequests: "it strikes the link"
    case .presence: "it strikes the device as a whole"
    }
  }
}

extension Mistake {
  /// A part that a text lacks.
  struct FaultPart {
    fileprivate let noun: String
    fileprivate let example: String?

    private init(_ noun: String, _ example: String?) { (self.noun, self.example) = (noun, example) }

    static let kind = Self("the kind of fault", "drop 10%")
    static let place = Self("the id of a characteristic, or 'wire',", "drop on wire")
    static let message = Self("the name of a message", "drop message NAME")
    static let state = Self("the name of a state", "disconnect while NAME")
    static let number = Self("a number", "after 100 bytes")
    static let duration = Self("a duration", "200ms")
    static let ordinal = Self("an ordinal number", "every 3rd")
    static let error = Self(
      "an ATT error, 'connections', 'parameters' or 'encryption'", "refuse write-not-permitted")
    static let reason = Self("the reason", "fail pairing confirm-value-failed")
    static let passkey = Self("the passkey", "person types 111111")
    static let step = Self("a step of the pairing", "fail pairing unspecified-reason at pairing-random")
    static let localName = Self("a name", "advertise as \"Other\"")
    static func word(_ word: String) -> Self { Self("'\(word)'", word == "bytes" ? number.example : nil) }
  }
}
