import Definitions
import DeviceModel

extension PeripheralDefinition {
  /// The device without the parts that only a definition with a base may have: rules of the base that never fire because the
  /// definition's own rules come first, and actions that lack what they need because the definition has taken it away.
  ///
  /// It behaves like this one.
  package var flattened: PeripheralDefinition {
    var device = self
    while true {
      let unreachable = Set(device.unreachableRules { _, _ in true }.map(\.rule))
      let started = device.startedTimers(except: unreachable)
      let waiting = device.rules.indices.filter { device.rules[$0].waits(forTimerExcept: started) }
      let removed = unreachable.union(waiting)
      guard !removed.isEmpty else { break }
      device.rules = device.rules.indices.filter { !removed.contains($0) }.map { device.rules[$0] }
    }
    device.removeActionsWithoutEffect()
    device.removeUnusedTimers()
    device.removeUnusedMessages()
    return device
  }

  private func startedTimers(except removed: Set<Int>) -> Set<Int> {
    let steps = rules.indices.filter { !removed.contains($0) }.flatMap { rules[$0].allSteps }
    return Set(steps.compactMap { if case .start(let timer, _, _) = $0.action { timer } else { nil } })
  }

  /// Removes changes of the speed and of the attributes if there are none, and uses of the bridge by bytes that do not come from its ends.
  private mutating func removeActionsWithoutEffect() {
    let ends = wire.bridge.map { [Rule.Endpoint.wire, $0.inlet] } ?? []
    for index in rules.indices {
      let isBridged = rules[index].triggers.allSatisfy { $0.endpoint.map(ends.contains) ?? false }
      let (hasSpeed, hasVariableAttributes) = (wire.baud != nil, hasVariableAttributes)
      rules[index].steps = rules[index].steps.changed { action in
        switch action {
        case .applyBaud where !hasSpeed: nil
        case .applyAttributes where !hasVariableAttributes: nil
        case .bridge where !isBridged: nil
        default: action
        }
      }
    }
  }

  private mutating func removeUnusedTimers() {
    let used = startedTimers(except: []).sorted()
    guard used.count < timers.count else { return }
    let numbers = Dictionary(uniqueKeysWithValues: zip(used, 0...))
    timers = used.map { timers[$0] }
    for index in rules.indices {
      rules[index].triggers = rules[index].triggers.compactMap { trigger in
        if case .timer(let timer) = trigger { numbers[timer].map { .timer($0) } } else { trigger }
      }
      rules[index].steps = rules[index].steps.changed { action in
        switch action {
        case .start(let timer, let time, let repeats): .start(timer: numbers[timer]!, time, repeats: repeats)
        case .stop(let timer): numbers[timer].map { .stop(timer: $0) }
        default: action
        }
      }
    }
  }

  /// Removes the messages without a name for which no rule waits.
  private mutating func removeUnusedMessages() {
    let awaited = Set(rules.flatMap(\.triggers).compactMap(\.message))
    let used = messages.indices.filter { !messages[$0].name.isEmpty || awaited.contains($0) }
    guard used.count < messages.count else { return }
    let numbers = Dictionary(uniqueKeysWithValues: zip(used, 0...))
    messages = used.map { messages[$0] }
    for index in rules.indices {
      rules[index].triggers = rules[index].triggers.map { trigger in
        switch trigger {
        case .received(let message?, let endpoint): .received(message: numbers[message]!, from: endpoint)
        case .sent(let message?, let layer): .sent(message: numbers[message]!, layer: layer)
        default: trigger
        }
      }
      let fields = rules[index].commonFields.map { (numbers[$0.key]!, $0.value) }
      rules[index].commonFields = Dictionary(uniqueKeysWithValues: fields)
      rules[index].steps = rules[index].steps.changed { action in
        switch action {
        case .send(.message(let message, let fields), let place):
          .send(.message(numbers[message]!, fields), to: place)
        case .respond(.message(let message, let fields)?): .respond(.message(numbers[message]!, fields))
        default: action
        }
      }
    }
  }
}

extension Rule {
  /// Whether it waits only for timers that are none of these.
  fileprivate func waits(forTimerExcept started: Set<Int>) -> Bool {
    !triggers.isEmpty
      && triggers.allSatisfy { if case .timer(let timer) = $0 { !started.contains(timer) } else { false } }
  }
}

extension [Rule.Step] {
  /// The steps with their actions changed, also those inside others; nil: the action is left out. Where none remains, the
  /// only one is `end`, since a rule does something.
  fileprivate func changed(_ change: (Rule.Action) -> Rule.Action?) -> [Rule.Step] {
    let steps = compactMap { step -> Rule.Step? in
      let action: Rule.Action? =
        switch step.action {
        case .repeat(let count, let index, let steps): .repeat(count, index: index, steps.changed(change))
        case .group(let steps): .group(steps.changed(change))
        case .perform(var performance):
          {
            performance.steps = performance.steps.changed(change)
            return .perform(performance)
          }()
        default: change(step.action)
        }
      if step.otherwise.isEmpty { return action.map { Rule.Step($0, if: step.condition) } }
      let otherwise = step.otherwise.changed(change)
      guard let action else {
        return Rule.Step(.group(otherwise), if: step.condition.map { .unary(.not, $0) })
      }
      return Rule.Step(action, if: step.condition, else: otherwise)
    }
    return steps.isEmpty ? [Rule.Step(.end)] : steps
  }
}
