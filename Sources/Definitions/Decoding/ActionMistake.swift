import Bluetooth

/// A mistake in an action of a rule. ``FillingMistake`` is for the fields of messages.
enum ActionMistake: Mistake {
  case badCount(Int64, most: Int64)
  /// The action sets a name that is neither a setting nor a variable.
  case unknownSlot(String, known: [String])
  /// The name is that of another value.
  case notSlot(String)
  case unknownATTError(String)
  /// The action handles bytes as a frame, but the event has no place at which frames arrive.
  case arrivesNowhere
  /// The action is about the central of the event, and no central causes the event.
  ///
  /// - Parameter all: how to write the action for all centrals.
  case noCentral(all: String)
  case secondReason
  case noBaud
  case noBridge
  /// There is a bridge, but the rule waits for an event at another place.
  case notAtBridge
  /// A message could go to each of these, but the rule does not name one.
  case noDestination(possible: [String])
  /// A message is longer than one value of the link, but the characteristic has no framing.
  case cutMessage(size: Int, limit: Int, characteristic: String, isNotified: Bool)
  case nothingToAnswer
  case nothingToRefuse
  case lateAnswer
  case secondAnswer
  /// An action follows one that ends the rule.
  case afterEnd(verb: String)
}

extension ActionMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .badCount(let count, let most): ("\(count) is not in 1…\(most)", nil)
    case .unknownSlot(let name, let known):
      ("no setting or variable '\(name)'", Suggestion.hint(for: name, in: known))
    case .notSlot("state"): ("'state' cannot be set", "an action changes it: { enter: STATE }")
    case .notSlot(let name): ("'\(name)' cannot be set", "only settings and variables can")
    case .unknownATTError(let name):
      ("unknown ATT error '\(name)'", Suggestion.hint(for: name, in: ATTError.allNames))
    case .arrivesNowhere:
      ("this event does not say where the frame arrived", "name the place: from: ID")
    case .noCentral(let all): ("no central causes this event", all)
    case .secondReason: ("there are two reasons", "keep one of them")
    case .noBaud: ("the wire side has no speed", "wire: { baud: EXPRESSION }")
    case .noBridge: ("there is no bridge", "declare one: wire: { bridge: ID }")
    case .notAtBridge:
      ("this event is not at the bridge", "only bytes received at one of its ends can cross it")
    case .noDestination(let possible):
      ("the message has no destination", "add 'to:' and one of \(possible.joined(separator: ", "))")
    case .cutMessage(let size, let limit, let characteristic, let isNotified):
      (
        "\(size) bytes take \((size + limit - 1) / limit) "
          + "\(isNotified ? "notifications" : "indications"): 'link' allows \(limit) at once",
        "declare how a central reassembles them: framing: { \(characteristic): … }"
      )
    case .nothingToAnswer:
      ("there is nothing to answer in this rule", "only a rule with 'on: { read: ID }' can answer")
    case .nothingToRefuse:
      (
        "there is nothing to refuse in this rule",
        "only a rule with 'on: { read: ID }', 'on: { write: ID }' or 'on: { subscribe: ID }' can refuse"
      )
    case .lateAnswer: ("the central gets its answer before the wait", "move this action before it")
    case .secondAnswer: ("the rule has already answered", "keep one of them")
    case .afterEnd(let verb):
      ("no action can follow '\(verb)', which ends the rule", "move it up, or remove it")
    }
  }
}
