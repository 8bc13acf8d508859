import Bluetooth
import DeviceModel
import Framing

// How often a request was recorded, and with how many effects.
extension ReplayWriter {
  /// Longer scripts, and requests with more of them, go to a table.
  private static let mostActions = 12
  private static let mostVariants = 4
  private static let longestValue = 40

  /// The rules for one request.
  ///
  /// - Parameters:
  ///   - name: of its messages, variables and tables.
  ///   - origin: the characteristic from which a value goes unless the rule says another.
  ///   - alwaysWritten: whether there is a rule for a request without effects, too.
  mutating func rules(
    on event: Rule.Trigger, name: String, _ occurrences: [[RecordedScript]], origin: AttributeHandle?,
    alwaysWritten: Bool = false
  ) -> [Rule] {
    let steps = RecordedSteps(occurrences, history)
    guard let first = steps.scripts.first else { return [] }
    if steps.scripts.allSatisfy({ $0.cues.isEmpty && $0.end == nil }) {
      return alwaysWritten ? [Rule(on: event, [Self.log("no effect was recorded")])] : []
    }
    let isShort = steps.scripts.allSatisfy {
      $0.cues.count <= Self.mostActions && $0.cues.allSatisfy { $0.value.bytes.count <= Self.longestValue }
    }
    var effect = Effect(name: name, event: event, origin: origin)
    var begin: [Rule.Step] = []
    if steps.isCut {
      definition.usePlaces()
      let scene = definition.addVariable(names.unique("scene-\(name)"), isPerCentral: true)
      effect.scene = .variable(scene)
      begin = [.init(set(scene, definition.scene!))]
    }
    let lasts = steps.scripts.contains { $0.again != nil || $0.cues.count > Self.mostActions }
    if lasts, let rules = streamRules(on: event, steps, effect, beginning: begin) { return rules }
    if isShort, steps.scripts.allSatisfy({ $0.isLike(first) }) {
      return [Self.rule(on: event, begin + actions(of: first, effect))]
    }
    if isShort, steps.scripts.count <= Self.mostVariants {
      return [Self.rule(on: event, begin + variants(of: steps, effect))]
    }
    let actions = tableActions(of: steps, effect)
    let repeats = actions.contains { if case .repeat = $0.action { true } else { false } }
    return [Self.rule(on: event, begin + actions, repeats: repeats)]
  }

  /// What the actions of a rule have in common.
  struct Effect {
    let name: String
    let event: Rule.Trigger
    var origin: AttributeHandle?
    /// The variable that has the place where the effect began; nil: it goes on whatever comes.
    var scene: Expression?
  }

  func set(_ variable: Int, _ value: Expression) -> Rule.Action { .set([(.variable(variable), value)]) }

  /// Chooses the effect by the recorded history, or the next one.
  ///
  /// - Returns: the action, and the expression for the effect that the history determines.
  mutating func stepping(_ steps: RecordedSteps, _ step: Int, _ name: String) -> (
    Rule.Action, place: Expression?
  ) {
    let next = Expression.variable(step) % Int64(steps.scripts.count) + 1
    guard !steps.byPlace.isEmpty else { return (set(step, next), nil) }
    let place = definition.add(steps.byPlace, as: names.unique("places-\(name)"))
    return (set(step, place.or(next)), place)
  }

  /// A branch for each effect. Each of them ends the rule: the next request may choose another one while it waits.
  private mutating func variants(of steps: RecordedSteps, _ effect: Effect) -> [Rule.Step] {
    let step = definition.addVariable(
      names.unique("step-\(effect.name)"), isPerCentral: steps.isPerCentral)
    var actions = [Rule.Step(stepping(steps, step, effect.name).0)]
    for (index, script) in steps.scripts.enumerated() {
      let branch = self.actions(of: script, effect)
      guard index < steps.scripts.count - 1 else { return actions + branch }
      actions.append(.init(.group(branch + [.init(.end)]), if: Self.isStep(step, index)))
    }
    return actions
  }

  static func isStep(_ step: Int, _ index: Int) -> Expression {
    .binary(.equal, .variable(step), .number(index + 1))
  }

  /// The actions of a script, with a message for each value.
  mutating func actions(of script: RecordedScript, _ effect: Effect) -> [Rule.Step] {
    var (actions, time): ([Rule.Step], Int64) = ([], 0)
    for cue in script.cues {
      actions += wait(cue.time - time, effect)
      time = cue.time
      guard let destination = destination(cue.handle, effect) else { continue }
      actions.append(.init(.send(answer(cue.value, to: effect.name), to: destination)))
    }
    if let end = script.end { actions += wait(end.time - time, effect) + [Self.disconnection(end.reason)] }
    return actions
  }

  /// Where a value goes: the place of the event, or the characteristic that sent it.
  func destination(_ handle: AttributeHandle, _ effect: Effect) -> Rule.Destination? {
    let answer = handle == effect.origin ? definition.device.destination(afterAnyOf: [effect.event]) : nil
    return answer ?? characteristic(handle).map { .endpoint(.characteristic($0)) }
  }

  /// A wait, after which the effect ends if another request has led the connection elsewhere.
  private func wait(_ milliseconds: Int64, _ effect: Effect) -> [Rule.Step] {
    milliseconds > 0 ? [Self.wait(milliseconds)] + ending(effect) : []
  }

  static func wait(_ milliseconds: Int64) -> Rule.Step {
    .init(.wait(.number(min(milliseconds, Rule.longestDuration))))
  }

  func ending(_ effect: Effect) -> [Rule.Step] {
    guard let scene = effect.scene, let present = definition.scene else { return [] }
    return [.init(.group([.init(.end)]), if: .binary(.notEqual, present, scene))]
  }

  static func disconnection(_ reason: HCIError) -> Rule.Step {
    let isPossible = HCIError.reasonsToDisconnect.contains(reason)
    return .init(.disconnect(.all, isPossible ? reason : .remoteUserTerminated))
  }

  /// The message of a value.
  private mutating func answer(_ value: AnswerForm, to name: String) -> Rule.Content {
    let template = value.template
    if let known = answers[template] { return .message(known, value.fields) }
    guard !value.bytes.isEmpty,
      let message = definition.addMessage(names.unique("answer-\(name)"), template)
    else { return .template(ValueTemplate(learnt: HexText.format(value.recorded))) }
    answers[template] = message
    return .message(message, value.fields)
  }
}
