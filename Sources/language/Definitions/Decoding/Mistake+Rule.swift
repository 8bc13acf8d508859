import Framing

/// Mistakes in rules and their triggers, or in a part of a definition that no rule uses.
extension Mistake {
  static func tooManyRules(_ count: Int, most: Int) -> Self {
    Self("\(count) rules, including those in groups", "at most \(most) are possible")
  }
  static func tooManyTimers(most: Int) -> Self {
    Self("more than \(most) timers", "a device can have at most \(most)")
  }
  static func unknownMessage(_ name: String, known: [String]) -> Self {
    Self("unknown message '\(name)'", Self.hint(forMessage: name, known))
  }
  static func characteristicAsMessage(_ id: String) -> Self {
    Self("unknown message '\(id)'", "'\(id)' is a characteristic: write it under 'from' or 'to'")
  }
  static func unknownTimer(_ name: String, known: [String]) -> Self {
    Self(
      "nothing starts the timer '\(name)'",
      known.isEmpty
        ? "an action starts it: { start: \(name), every: 1s }" : Suggestion.hint(for: name, in: known))
  }
  static let addressStays = Self(
    "the device has no private address, so this event never comes",
    "advertisement: { address: resolvable }, or non-resolvable")
  static let nothingReceived = Self(
    "no characteristic can be written, so nothing is received",
    "add write to the properties of one, or 'from: wire'")
  static func unknownActions(_ name: String, known: [String]) -> Self {
    Self(
      "no actions are named '\(name)'",
      name.contains("(")
        ? "write { perform: \(Signature.name(in: name)), with: { PARAMETER: EXPRESSION } }"
        : known.isEmpty ? "actions: { \(name): [ … ] }" : Suggestion.hint(for: name, in: known))
  }
  /// - Parameter path: the names that perform each other, the first again at the end.
  static func performsItself(_ path: [String]) -> Self {
    Self(
      "'\(path[0])' performs itself: \(path.joined(separator: " → "))",
      "to repeat actions, use 'repeat' or a timer")
  }
  static func performedTooDeep(most: Int) -> Self {
    Self(
      "actions perform one another more than \(most) levels deep",
      "write some of them where they are performed")
  }
  static func tooManyPerformed(most: Int) -> Self {
    Self("the rules have more than \(most) actions, including those that they perform", "use 'repeat'")
  }
  static func unusedFunction(_ name: String) -> Self {
    Self("no expression uses the function '\(name)'", "remove it")
  }
  static func unusedActions(_ name: String) -> Self {
    Self("no rule performs '\(name)'", "perform them with an action: { perform: \(name) }")
  }
  static let anyAmongNames = Self("'any' includes the others", "remove them")
  static let nothingForAny = Self("the device has nothing that this event can be about", "remove the rule")
  static func onlySetByRules(_ name: String) -> Self {
    Self(
      "rules set '\(name)', but 'set' waits until it is set from outside",
      "to wait for any other value, whoever sets it: { change: \(name) }")
  }
  static let anyAmongOthers = Self(
    "'any' matches every frame, including those of the other messages", "remove the others")
  /// - Parameters:
  ///   - takers: the lines of the rules that handle all its events.
  ///   - assembler: the first of them that assembles a frame from fragments; nil: none does.
  static func unreachable(takers: [Int], assembler: Int?) -> Self {
    if let assembler {
      return Self(
        "this rule can never fire: the rule in line \(assembler) takes everything it waits for",
        "if it waits for what that rule assembles, give the whole a place of its own: layers: [message]; "
          + "receive: …, from: message there, and on: { receive: MESSAGE, from: message } here")
    }
    return takers.count == 1
      ? Self(
        "this rule can never fire: the rule in line \(takers[0]) takes everything it waits for",
        "put it before that one, or give that one a condition")
      : Self(
        "this rule can never fire: the rules in lines \(takers.map(String.init).joined(separator: " and ")) "
          + "take everything it waits for", "put it before them, or give them conditions")
  }
  /// A timer that one action starts for a central, and another for the device.
  static func timerOfBoth(_ name: String) -> Self {
    Self(
      "'\(name)' is a timer of each central in one place, and one of the device in another",
      "start it with 'per: central' in all places, or give the other another name")
  }
  static func unusedTimer(_ name: String) -> Self {
    Self("no rule waits for the timer '\(name)'", "add a rule with on: { timer: \(name) }")
  }
  static func unusedState(_ name: String) -> Self {
    Self("nothing enters the state '\(name)'", "an action enters it: { enter: \(name) }")
  }
  static let firstState = Self(
    "the device starts in its first state without entering it, and nothing enters it later", "use on: start")
  static func unusedVariable(_ name: String, isSet: Bool) -> Self {
    Self("nothing \(isSet ? "reads" : "uses") the variable '\(name)'", "remove it")
  }
  static func unsetVariable(_ name: String) -> Self {
    Self(
      "nothing sets the variable '\(name)'",
      "an action sets it: { set: { \(name): … } }; a value that never changes is a setting")
  }
  /// - Parameter place: where rules hold bytes and never release them.
  static func unreleased(place: String) -> Self {
    Self("nothing releases the bytes held at '\(place)'", "release it with an action: { release: \(place) }")
  }
  /// - Parameter place: where rules release bytes but never hold any.
  static func unheld(place: String) -> Self {
    Self("no bytes are ever held at '\(place)'", "hold them with an action: { hold: \(place) }")
  }

  /// The author may mean a text or bytes, which are written in a mapping.
  private static func hint(forMessage name: String, _ known: [String]) -> String? {
    if let near = Suggestion.nearest(to: name, in: known) { return "did you mean '\(near)'?" }
    let isHex = name.count > 1 && (try? HexText.parse(name)) != nil
    if isHex { return "bytes without a name are { bytes: \"\(name)\" }" }
    if Identifier.isValid(name), !known.isEmpty { return Suggestion.hint(for: name, in: known) }
    return "a text without a name is { text: \"\(name)\" }"
  }
}
