import Bluetooth
import DeviceModel

/// A mistake in the text of a fault.
enum FaultMistake: Mistake {
  /// - Parameter example: an example of the kind of fault.
  case missing(Part, example: String?)
  case unknownKind(String, known: [String])
  /// One of these words is required.
  case expected([String], example: String?)
  /// No part of a fault begins with this word.
  case unknownWord(String)
  case twice(FaultClause)
  /// A fault of this kind cannot have this part.
  case needless(FaultClause, Fault.Kind)
  case unknownPlace(String, known: [String])
  case noWireSide
  case unknownMessage(String, known: [String])
  case unknownState(String, known: [String])
  case unknownError(String)
  /// No pairing fails for this reason, or has this step.
  case unknownReason(String)
  case unknownStep(String)
  /// A fault below ATT begins after an amount of values.
  case notTime(Fault.Kind)
  case notChance
  case notOrdinal
  case notWholeNumber(String)
  case outOfRange(String, ClosedRange<Int>)
  /// A duration is zero, or longer than this many days.
  case badDuration(String, days: Int)
  case noClosingQuote
  /// `confirm` strikes a characteristic that only indicates; nil: the device has none.
  case neverConfirmed(id: String?)
  /// It begins again before it ends; true: it has a duration.
  case neverEnds(Bool)

  /// A part that a text lacks.
  enum Part {
    case kind, place, message, state, number, duration, ordinal, error, reason, step, localName
    case word(String)
  }
}

extension FaultMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .missing(let part, let example):
      ("\(part.noun) is missing", (example ?? part.example).map { "as in \($0)" })
    case .unknownKind(let word, let known): ("no fault is called '\(word)'", Self.hint(forKind: word, known))
    case .expected(let words, let example):
      (
        "expected \(words.map { "'\($0)'" }.joined(separator: " or "))",
        (example ?? Part.word(words[0]).example).map { "as in \($0)" }
      )
    case .unknownWord(let word): ("unexpected '\(word)'", Self.hint(forWord: word))
    case .twice(let clause): ("a fault can have '\(clause.example)' only once", nil)
    case .needless(let clause, let kind):
      ("'\(kind)' takes no '\(clause.example)'", Self.reason(for: kind.subject))
    case .unknownPlace(let id, let known):
      ("no characteristic has the id '\(id)'", Suggestion.hint(for: id, in: known))
    case .noWireSide: ("the device has no wire side", nil)
    case .unknownMessage(let name, let known):
      (
        "no message is called '\(name)'",
        known.isEmpty ? "the definition has no messages" : Suggestion.hint(for: name, in: known)
      )
    case .unknownState(let name, let known):
      (
        "the device has no state '\(name)'",
        known.isEmpty ? "the definition has no states" : Suggestion.hint(for: name, in: known)
      )
    case .unknownError(let name):
      (
        "'\(name)' is not an ATT error",
        Suggestion.nearest(to: name, in: ATTError.allNames + FaultReader.refused).map {
          "did you mean '\($0)'?"
        }
          ?? "for example write-not-permitted, 0x80, or 'refuse connections'"
      )
    case .unknownReason(let name):
      ("no pairing fails with '\(name)'", Suggestion.hint(for: name, in: PairingFailure.allNames))
    case .unknownStep(let name):
      (
        "no pairing has the step '\(name)'",
        Suggestion.hint(for: name, in: PairingFault.Step.allCases.map(\.rawValue))
      )
    case .notTime(let kind): ("'\(kind)' can only begin after a time", "as in after 5s")
    case .notChance: ("expected a probability, more than 0% and at most 100%", "as in 10% or 0.5%")
    case .notOrdinal: ("expected an ordinal number", "as in every 3rd")
    case .notWholeNumber(let text): ("expected a whole number, found '\(text)'", nil)
    case .outOfRange(let number, let range):
      ("\(number) is not in \(range.lowerBound)…\(range.upperBound)", nil)
    case .badDuration(let text, let days): ("'\(text)' is not between 1 ms and \(days) days", nil)
    case .noClosingQuote: ("the closing quote is missing", nil)
    case .neverConfirmed(let id?):
      ("no central confirms the values of '\(id)'", "'confirm' strikes a characteristic that only indicates")
    case .neverConfirmed(nil): ("the device has no characteristic that only indicates", nil)
    case .neverEnds(let hasDuration):
      (
        "the fault begins again before it ends",
        hasDuration ? "'for' must be shorter than 'every'" : "add 'for DURATION', shorter than 'every'"
      )
    }
  }

  private static func hint(forKind word: String, _ known: [String]) -> String? {
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
    "deny": "refuse", "checksum": "spoil checksum", "reset": "reboot", "restart": "reboot",
    "hide": "stop advertising", "rename": "advertise as \"NAME\"", "disappear": "vanish",
    "rssi": "fade to -80 dBm", "distance": "fade to -80 dBm", "out": "leave range",
  ]

  private static func hint(forWord word: String) -> String? {
    Suggestion.nearest(to: word, in: FaultClause.words).map { "did you mean '\($0)'?" }
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

extension FaultMistake.Part {
  fileprivate var noun: String {
    switch self {
    case .kind: "the kind of fault"
    case .place: "the id of a characteristic, or 'wire',"
    case .message: "the name of a message"
    case .state: "the name of a state"
    case .number: "a number"
    case .duration: "a duration"
    case .ordinal: "an ordinal number"
    case .error: "an ATT error, 'connections', 'parameters' or 'encryption'"
    case .reason: "the reason"
    case .step: "a step of the pairing"
    case .localName: "a name"
    case .word(let word): "'\(word)'"
    }
  }

  fileprivate var example: String? {
    switch self {
    case .kind: "drop 10%"
    case .place: "drop on wire"
    case .message: "drop message NAME"
    case .state: "disconnect while NAME"
    case .word("bytes"), .number: "after 100 bytes"
    case .word: nil
    case .duration: "200ms"
    case .ordinal: "every 3rd"
    case .error: "refuse write-not-permitted"
    case .reason: "fail pairing confirm-value-failed"
    case .step: "fail pairing unspecified-reason at pairing-random"
    case .localName: "advertise as \"Other\""
    }
  }
}
