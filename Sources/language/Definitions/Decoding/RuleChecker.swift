import DeviceModel

/// Finds parts of a definition that have no effect. There are no errors when it is used.
struct RuleChecker {
  let device: PeripheralDefinition
  let rules: [RuleEntry]
  let log: DiagnosticLog
  let root: Node<Language.Definition>
  private let names: NameScope
  /// The actions of all rules.
  private let actions: [Node<Language.Action>]

  init(
    root: Node<Language.Definition>, device: PeripheralDefinition, rules: [RuleEntry], names: NameScope,
    log: DiagnosticLog
  ) {
    (self.root, self.device, self.rules) = (root, device, rules)
    (self.names, self.log) = (names, log)
    actions = rules.flatMap { $0.rule.actions.withInner }
  }

  /// - Parameter namesBeside: finds the names that the files next to the definition use.
  func check(namesBeside: () -> NamesBeside) {
    checkTimers()
    checkStates()
    checkVariables(namesBeside)
    checkAwaitedSets(namesBeside)
    checkControls()
    checkSharedActions()
    checkFunctions(namesBeside)
    let (held, released) = (actions.compactMap { $0.hold }, actions.compactMap { $0.release })
    check(held, against: released, Mistake.unreleased)
    check(released, against: held, Mistake.unheld)
    checkReachability()
    checkFrames()
  }

  /// A timer that no rule waits for.
  private func checkTimers() {
    let awaited = Set(device.rules.flatMap(\.triggers))
    for (index, name) in device.timers.enumerated() where !awaited.contains(.timer(index)) {
      guard let start = actions.lazy.compactMap({ $0.start }).first(where: { $0.text == name }) else {
        continue
      }
      log.warn(.unusedTimer(name), at: start.range)
    }
  }

  /// A state that nothing enters. The device starts in the first without entering it.
  private func checkStates() {
    let entered = Set(actions.compactMap { $0.enter?.text })
    for state in root.states.dropFirst() where !entered.contains(state.text) {
      log.warn(.unusedState(state.text), at: state.range)
    }
    guard let first = device.states.first, !entered.contains(first) else { return }
    for state in rules.flatMap({ $0.rule.event?.enter ?? [] }) where state.text == first {
      log.warn(.firstState, at: state.range)
    }
  }

  /// A variable that is only set, or only read, or neither.
  private func checkVariables(_ namesBeside: () -> NamesBeside) {
    let unread = root.variables.indices.filter { !names.record.isUsed(variable: $0) }
    var set = Set(actions.flatMap { $0.set }.map { $0.key.text }).union(setFromOutside)
    let isComplete = unread.isEmpty && root.variables.allSatisfy { set.contains($0.key.text) }
    let beside = isComplete ? NamesBeside() : namesBeside()
    set.formUnion(beside.set)
    for (index, entry) in root.variables.enumerated() {
      let name = entry.key.text
      if unread.contains(index), !beside.read.contains(name) {
        log.warn(.unusedVariable(name, isSet: set.contains(name)), at: entry.key.range)
      } else if !set.contains(name) {
        log.warn(.unsetVariable(name), at: entry.key.range)
      }
    }
  }

  /// The names of settings and variables that controls set, or that rules expect to be set from outside.
  private var setFromOutside: [String] {
    root.controls.compactMap { $0.value.slot?.text }
      + rules.flatMap { $0.rule.event?.slot ?? [] }.flatMap { slot in
        slot.text == "any" ? root.variables.map { $0.key.text } : [slot.text]
      }
  }

  /// A rule that waits until something outside sets a variable that only rules set.
  private func checkAwaitedSets(_ namesBeside: () -> NamesBeside) {
    let set = Set(actions.flatMap { $0.set }.map { $0.key.text })
    let controls = Set(root.controls.compactMap { $0.value.slot?.text })
    for slot in rules.flatMap({ $0.rule.event?.slot ?? [] }) {
      guard set.contains(slot.text), !controls.contains(slot.text),
        root.variables.contains(where: { $0.key.text == slot.text }), !namesBeside().set.contains(slot.text)
      else { continue }
      log.warn(.onlySetByRules(slot.text), at: slot.range)
    }
  }

  /// A button that no rule waits for.
  private func checkControls() {
    let awaited = Set(device.rules.flatMap(\.triggers))
    for (index, entry) in root.controls.enumerated() where device.controls[index].kind == .button {
      if awaited.contains(.control(index)) { continue }
      log.warn(.unusedControl(entry.key.text), at: entry.key.range)
    }
  }

  private func checkFunctions(_ namesBeside: () -> NamesBeside) {
    let unused = device.functions.indices.filter { !names.record.isUsed(function: $0) }
    let beside = unused.isEmpty ? NamesBeside() : namesBeside()
    for index in unused where !beside.read.contains(device.functions[index].name) {
      log.warn(.unusedFunction(device.functions[index].name), at: root.functions[index].key.range)
    }
  }

  private func checkSharedActions() {
    let performed = Set(actions.compactMap { $0.perform?.text })
    for entry in root.sharedActions {
      guard let signature = Signature(entry.key.text), !performed.contains(signature.name) else { continue }
      log.warn(.unusedActions(signature.name), at: entry.key.range)
    }
  }

  /// Places where rules hold bytes and never release them, or release bytes and never hold any.
  private func check(
    _ names: [Scalar], against opposite: [Scalar], _ mistake: (_ place: String) -> Mistake
  ) {
    var known = Set(opposite.map(\.text))
    for name in names where known.insert(name.text).inserted {
      log.warn(mistake(name.text), at: name.range)
    }
  }
}
