import Bluetooth

/// Mistakes in an action of a rule. ``FillingMistake`` is for the fields of messages.
extension Mistake {
  static func unknownSlot(_ name: String, known: [String]) -> Self {
    Self("no setting or variable '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func notSlot(_ name: String) -> Self {
    Self(
      "'\(name)' cannot be set",
      name == "state" ? "an action changes it: { enter: STATE }" : "only settings and variables can")
  }
  static func unknownATTError(_ name: String) -> Self {
    Self("unknown ATT error '\(name)'", Suggestion.hint(for: name, in: ATTError.allNames))
  }
  static let arrivesNowhere = Self(
    "this event does not say where the frame arrived", "name the place: from: ID")
  /// The action is about the central of the event, and no central causes the event.
  ///
  /// - Parameter remedy: how to write the action for all centrals, or what else to do.
  static func noCentralOfEvent(_ remedy: String) -> Self { Self("no central causes this event", remedy) }
  static let secondReason = Self("there are two reasons", "keep one of them")
  static let noBaud = Self("the wire side has no speed", "wire: { baud: EXPRESSION }")
  static let noVariableAttributes = Self(
    "no attribute depends on settings", "give a service or a characteristic a condition: if: CONDITION")
  static let noBridge = Self("there is no bridge", "declare one: wire: { bridge: ID }")
  static let notAtBridge = Self(
    "this event is not at the bridge", "only bytes received at one of its ends can cross it")
  static func noDestination(possible: [String]) -> Self {
    Self("the message has no destination", "add 'to:' and one of \(possible.joined(separator: ", "))")
  }
  static let centralAsPlace = Self(
    "'to' names a place, not a central",
    "a characteristic with 'recipients: asker' sends its values to the central of the event alone")
  static func cutMessage(size: Int, limit: Int, characteristic: String, isNotified: Bool) -> Self {
    Self(
      "\(size) bytes take \((size + limit - 1) / limit) "
        + "\(isNotified ? "notifications" : "indications"): 'link' allows \(limit) at once",
      "declare how a central reassembles them: framing: { \(characteristic): … }")
  }
  /// - Parameter hasResponse: whether the central may wait for a response without a value.
  static func nothingToAnswer(hasResponse: Bool) -> Self {
    Self(
      "there is nothing to answer in this rule",
      hasResponse
        ? "only a read has an answer with a value; the word 'respond' says where this response goes"
        : "only a rule with 'on: { read: ID }' can answer")
  }
  static let nothingToRefuse = Self(
    "there is nothing to refuse in this rule",
    "only a rule with 'on: { read: ID }', 'on: { write: ID }' or 'on: { subscribe: ID }' can refuse")
  static let lateAnswer = Self("the central gets its answer before the wait", "move this action before it")
  static let lateRefusal = Self(
    "the central gets its answer before the wait",
    "move this action before it, or let the response wait: 'respond' says where in the rule it goes")
  static let noReadAnswer = Self("a read needs an answer", "respond: MESSAGE, or { text: \"…\" }")
  static let noResponse = Self(
    "no central waits for a response in this rule",
    "only a rule for 'write', 'subscribe' or 'receive' says where the response goes")
  /// - Parameter seconds: how long the rule waits before its response.
  static func unheardResponse(seconds: Int64) -> Self {
    Self(
      "the response goes out after \(seconds) s: the central ends the link after 30 s",
      "wait after 'respond', or wait less")
  }
  static let secondAnswer = Self("the rule has already answered", "keep one of them")
  /// - Parameter changed: the name of what the action before changes.
  static func oppositeCondition(after changed: String) -> Self {
    Self(
      "the action before changes '\(changed)', so this one can run as well",
      "make it the other's 'else', whose 'if' is evaluated once: { if: …, then: …, else: … }")
  }
  static func unknownParameter(_ name: String, of actions: String, known: [String]) -> Self {
    Self(
      "'\(actions)' has no parameter '\(name)'",
      known.isEmpty
        ? "declare it: actions: { \(actions)(\(name)): … }" : Suggestion.hint(for: name, in: known))
  }
  static func missingArguments(_ names: [String], of actions: String) -> Self {
    Self(
      "'\(actions)' needs a value for \(names.map { "'\($0)'" }.joined(separator: " and "))",
      "add with: { \(names.map { "\($0): …" }.joined(separator: ", ")) }")
  }
  static func listAsArgument(_ parameter: String) -> Self {
    Self("the parameter '\(parameter)' takes one value, not a list")
  }
  static func afterEnd(verb: String) -> Self {
    Self("no action can follow '\(verb)', which ends the rule", "move it up, or remove it")
  }
}
