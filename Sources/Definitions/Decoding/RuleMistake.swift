import Framing

/// A mistake in rules and their triggers, or in a part of a definition that no rule uses.
enum RuleMistake: Mistake {
  case tooManyRules(Int, most: Int)
  case tooManyTimers(most: Int)
  case unknownMessage(String, known: [String])
  /// The name of a characteristic is written in place of a message.
  case characteristicAsMessage(String)
  case unknownTimer(String, known: [String])
  /// A rule waits for a message, but no characteristic can receive one.
  case nothingReceived
  case unknownActions(String, known: [String])
  /// - Parameter path: the names that perform each other, the first again at the end.
  case performsItself([String])
  case performedTooDeep(most: Int)
  case tooManyPerformed(most: Int)
  /// No rule performs the actions of this name.
  case unusedActions(String)
  /// A rule waits for any frame as well as for certain messages.
  case anyAmongOthers
  /// A rule can never fire, because the rules in these lines handle all its events.
  case unreachable(takers: [Int])
  /// No rule waits for the timer.
  case unusedTimer(String)
  /// Nothing enters the state.
  case unusedState(String)
  /// A rule waits for the first state, which the device never enters.
  case firstState
  /// Nothing reads the variable.
  case unusedVariable(String, isSet: Bool)
  case unsetVariable(String)
  /// - Parameter place: where rules hold bytes and never release them.
  case unreleased(place: String)
  /// - Parameter place: where rules release bytes but never hold any.
  case unheld(place: String)
}

extension RuleMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .tooManyRules(let count, let most):
      ("\(count) rules, including those in groups", "at most \(most) are possible")
    case .tooManyTimers(let most): ("more than \(most) timers", "a device can have at most \(most)")
    case .unknownMessage(let name, let known):
      ("unknown message '\(name)'", Self.hint(forMessage: name, known))
    case .characteristicAsMessage(let id):
      ("unknown message '\(id)'", "'\(id)' is a characteristic: write it under 'from' or 'to'")
    case .unknownTimer(let name, let known):
      (
        "nothing starts the timer '\(name)'",
        known.isEmpty
          ? "an action starts it: { start: \(name), every: 1s }" : Suggestion.hint(for: name, in: known)
      )
    case .nothingReceived:
      (
        "no characteristic can be written, so nothing is received",
        "add write to the properties of one, or 'from: wire'"
      )
    case .unknownActions(let name, let known):
      (
        "no actions are named '\(name)'",
        known.isEmpty ? "actions: { \(name): [ … ] }" : Suggestion.hint(for: name, in: known)
      )
    case .performsItself(let path):
      (
        "'\(path[0])' performs itself: \(path.joined(separator: " → "))",
        "to repeat actions, use 'repeat' or a timer"
      )
    case .performedTooDeep(let most):
      (
        "actions perform one another more than \(most) levels deep",
        "write some of them where they are performed"
      )
    case .tooManyPerformed(let most):
      ("the rules have more than \(most) actions, including those that they perform", "use 'repeat'")
    case .unusedActions(let name):
      ("no rule performs '\(name)'", "perform them with an action: { perform: \(name) }")
    case .anyAmongOthers:
      ("'any' matches every frame, including those of the other messages", "remove the others")
    case .unreachable(let takers): Self.unreachable(takers.map(String.init))
    case .unusedTimer(let name):
      ("no rule waits for the timer '\(name)'", "add a rule with on: { timer: \(name) }")
    case .unusedState(let name):
      ("nothing enters the state '\(name)'", "an action enters it: { enter: \(name) }")
    case .firstState:
      (
        "the device starts in its first state without entering it, and nothing enters it later",
        "use on: start"
      )
    case .unusedVariable(let name, let isSet):
      ("nothing \(isSet ? "reads" : "uses") the variable '\(name)'", "remove it")
    case .unsetVariable(let name):
      (
        "nothing sets the variable '\(name)'",
        "an action sets it: { set: { \(name): … } }; a value that never changes is a setting"
      )
    case .unreleased(let place):
      ("nothing releases the bytes held at '\(place)'", "release it with an action: { release: \(place) }")
    case .unheld(let place):
      ("no bytes are ever held at '\(place)'", "hold them with an action: { hold: \(place) }")
    }
  }

  /// The author may mean a text or bytes, which are written in a mapping.
  private static func hint(forMessage name: String, _ known: [String]) -> String? {
    if let near = Suggestion.nearest(to: name, in: known) { return "did you mean '\(near)'?" }
    let isHex = name.count > 1 && (try? HexText.parse(name)) != nil
    if isHex { return "bytes without a name are { bytes: \"\(name)\" }" }
    if Identifier.isValid(name), !known.isEmpty { return Suggestion.hint(for: name, in: known) }
    return "a text without a name is { text: \"\(name)\" }"
  }

  private static func unreachable(_ lines: [String]) -> (message: String, hint: String?) {
    let isOne = lines.count == 1
    let takers =
      isOne
      ? "the rule in line \(lines[0]) takes" : "the rules in lines \(lines.joined(separator: " and ")) take"
    return (
      "this rule can never fire: \(takers) everything it waits for",
      isOne
        ? "put it before that one, or give that one a condition"
        : "put it before them, or give them conditions"
    )
  }
}
