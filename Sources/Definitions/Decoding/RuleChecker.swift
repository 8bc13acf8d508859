import DeviceModel

/// Finds parts of a definition that have no effect. There are no errors when it is used.
struct RuleChecker {
  let device: PeripheralDefinition
  let rules: [RuleEntry]
  let log: DiagnosticLog
  private let root: Node<Language.Definition>
  private let names: NameScope
  /// The actions of all rules.
  private let actions: [Node<Language.Action>]

  init(
    root: Node<Language.Definition>, device: PeripheralDefinition, rules: [RuleEntry], names: NameScope,
    log: DiagnosticLog
  ) {
    (self.root, self.device, self.rules) = (root, device, rules)
    (self.names, self.log) = (names, log)
    actions = rules.flatMap(\.rule.actions.withInner)
  }

  func check() {
    checkTimers()
    checkStates()
    checkVariables()
    check(actions.compactMap(\.hold), against: actions.compactMap(\.release), "release") {
      "nothing releases what waits at '\($0)'"
    }
    check(actions.compactMap(\.release), against: actions.compactMap(\.hold), "hold") {
      "nothing ever waits at '\($0)'"
    }
    checkReachability()
  }

  /// A timer for which no rule waits.
  private func checkTimers() {
    let awaited = Set(device.rules.flatMap(\.triggers))
    for (index, name) in device.timers.enumerated() where !awaited.contains(.timer(index)) {
      guard let start = actions.lazy.compactMap(\.start).first(where: { $0.text == name }) else { continue }
      log.warn(
        "no rule waits for the timer '\(name)'", at: start.range,
        hint: "add a rule with on: { timer: \(name) }")
    }
  }

  /// A state that nothing enters. The device starts in the first without entering it.
  private func checkStates() {
    let entered = Set(actions.compactMap(\.enter).map(\.text))
    for state in root.states.dropFirst() where !entered.contains(state.text) {
      log.warn(
        "nothing enters the state '\(state.text)'", at: state.range,
        hint: "an action enters it: { enter: \(state.text) }")
    }
    guard let first = device.states.first, !entered.contains(first) else { return }
    for state in rules.compactMap(\.rule.event?.enter) where state.text == first {
      log.warn(
        "the device starts in its first state without entering it, and nothing enters it later",
        at: state.range,
        hint: "use on: start")
    }
  }

  /// A variable that is only set, or only read, or neither.
  private func checkVariables() {
    let set = Set(actions.flatMap(\.set).map(\.key.text))
    for (index, entry) in root.variables.enumerated() {
      let name = entry.key.text
      if !names.record.isUsed(.variable(index)) {
        let verb = set.contains(name) ? "reads" : "uses"
        log.warn("nothing \(verb) the variable '\(name)'", at: entry.key.range, hint: "remove it")
      } else if !set.contains(name) {
        log.warn(
          "nothing sets the variable '\(name)'", at: entry.key.range,
          hint: "an action sets it: { set: { \(name): … } }; a value that never changes is a setting")
      }
    }
  }

  /// Places where bytes wait for ever, or are released without ever having waited.
  private func check(
    _ names: [Scalar], against opposite: [Scalar], _ verb: String, _ message: (String) -> String
  ) {
    var known = Set(opposite.map(\.text))
    for name in names where known.insert(name.text).inserted {
      log.warn(message(name.text), at: name.range, hint: "an action does it: { \(verb): \(name.text) }")
    }
  }
}
