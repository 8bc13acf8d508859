import Bluetooth
import DeviceModel

/// What a rule says to the central that reads or writes.
extension RuleDecoder {
  func respond(_ node: YAMLNode, _ action: YAMLNode) -> Rule.Action? {
    guard let content = content(node, action) else { return nil }
    let limit = CharacteristicDefinition.maximumValueSize
    let size = minimumSize(of: content)
    if size > limit { log.error("\(size) bytes; an attribute holds at most \(limit)", at: node.range) }
    return .respond(content)
  }

  func refuse(_ node: YAMLNode) -> Rule.Action? {
    guard let text = node.text else { return nil }
    guard let error = ATTError(named: text) else {
      log.error(
        "unknown ATT error '\(text)'", at: node.range, hint: Suggestion.hint(for: text, in: ATTError.allNames)
      )
      return nil
    }
    return .refuse(error)
  }
}

// MARK: Order

extension RuleDecoder {
  /// What a rule may have done so far.
  private struct Progress {
    var hasWaited = false
    /// Whether it has answered for sure.
    var hasAnswered = false
  }

  /// Whether each answer stands where there is something to answer, in time, and once; and whether something
  /// stands behind the rule's end.
  func checkAnswers(_ node: YAMLNode?) {
    var progress = Progress()
    _ = follow(node?.actions ?? [], &progress)
  }

  /// Goes through actions as the rule does; tells whether it always ends in them.
  private func follow(_ actions: [YAMLNode], _ progress: inout Progress) -> Bool {
    for (index, action) in actions.enumerated() {
      guard follow(action, &progress) else { continue }
      if index + 1 < actions.count { reportNothingDone(behind: action, at: actions[index + 1]) }
      return true
    }
    return false
  }

  private func follow(_ action: YAMLNode, _ progress: inout Progress) -> Bool {
    var then = progress
    var ends = action.text == "reset" || action.text == "end" || action["refuse"] != nil
    checkAnswer(action, progress)
    then.hasWaited = progress.hasWaited || action["wait"] != nil
    then.hasAnswered = progress.hasAnswered || action["respond"] != nil
    for inner in [action["do"], action["then"]] {
      if let inner { ends = follow(inner.actions, &then) || ends }
    }
    let isCertain = action["if"] == nil && action["repeat"] == nil
    if isCertain {
      progress = then
    } else if !ends {
      progress.hasWaited = progress.hasWaited || then.hasWaited
    }
    return ends && isCertain
  }

  private func checkAnswer(_ action: YAMLNode, _ progress: Progress) {
    for verb in ["respond", "refuse"] {
      guard let place = action[verb] else { continue }
      if !canAnswer(verb) {
        reportNothingToAnswer(verb, at: place)
      } else if progress.hasWaited {
        log.error("the central has had its answer before the wait", at: place.range, hint: "move it up")
      } else if progress.hasAnswered {
        log.error("the central has had its answer before", at: place.range, hint: "keep one of them")
      }
    }
  }

  private func reportNothingDone(behind action: YAMLNode, at next: YAMLNode) {
    let verb = action.text ?? (action["refuse"] == nil ? "then" : "refuse")
    log.error(
      "nothing is done behind '\(verb)', which ends the rule", at: next.startRange,
      hint: "move it up, or remove it")
  }

  private func reportNothingToAnswer(_ verb: String, at place: YAMLNode) {
    if verb == "refuse" {
      log.error(
        "there is nothing to refuse in this rule", at: place.range,
        hint: "only 'on: { read: ID }' and 'on: { write: ID }' have it")
    } else {
      log.error(
        "there is nothing to answer in this rule", at: place.range, hint: "only 'on: { read: ID }' has it")
    }
  }

  private func canAnswer(_ verb: String) -> Bool {
    triggers.isEmpty
      || triggers.allSatisfy { trigger in
        switch trigger {
        case .read: true
        case .written: verb == "refuse"
        default: false
        }
      }
  }
}

extension YAMLNode {
  /// Those of a `do`: one, or a list of them.
  fileprivate var actions: [YAMLNode] {
    if case .sequence(let elements) = content { elements } else { [self] }
  }
}
