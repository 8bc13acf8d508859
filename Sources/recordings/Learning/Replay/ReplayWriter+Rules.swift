import Bluetooth
import DefinitionWriter
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
    on event: YAMLValue, name: String, _ occurrences: [[RecordedScript]], origin: AttributeHandle?,
    alwaysWritten: Bool = false
  ) -> [YAMLValue] {
    let steps = RecordedSteps(occurrences, history)
    guard let first = steps.scripts.first else { return [] }
    if steps.scripts.allSatisfy({ $0.cues.isEmpty && $0.end == nil }) {
      guard alwaysWritten else { return [] }
      return [Self.rule(event, [.object([.init("log", .text("\(name): no effect was recorded"))], .flow)])]
    }
    let isShort = steps.scripts.allSatisfy {
      $0.cues.count <= Self.mostActions && $0.cues.allSatisfy { $0.value.count <= Self.longestValue }
    }
    let scene = steps.isCut ? addScene(name) : nil
    let begin = scene.map { [set($0, LearntDefinition.scene)] } ?? []
    if isShort, steps.scripts.allSatisfy({ $0.isLike(first) }) {
      return [Self.rule(event, begin + actions(of: first, name, origin: origin, scene))]
    }
    if isShort, steps.scripts.count <= Self.mostVariants {
      return [Self.rule(event, begin + variants(of: steps, name, origin: origin, scene))]
    }
    return [Self.rule(event, begin + tableActions(of: steps, name, origin: origin, scene))]
  }

  /// The variable that has the place where an effect began.
  private mutating func addScene(_ name: String) -> String {
    definition.usePlaces()
    let scene = names.unique("scene-\(name)")
    addVariable(scene, isPerCentral: true)
    return scene
  }

  func set(_ name: String, _ value: String) -> YAMLValue {
    .object([.init("set", .map([.init(name, .text(value))], .flow))], .flow)
  }

  /// Chooses the effect by the recorded history, or the next one.
  ///
  /// - Returns: the action, and the expression for the effect that the history determines.
  mutating func stepping(_ steps: RecordedSteps, _ step: String, _ name: String) -> (
    YAMLValue, place: String?
  ) {
    let next = "\(step) % \(steps.scripts.count) + 1"
    guard !steps.byPlace.isEmpty else { return (set(step, next), nil) }
    let place = definition.add(steps.byPlace, as: names.unique("places-\(name)"))
    return (set(step, "if(\(place) > 0, \(place), \(next))"), place)
  }

  /// A rule. The language has none without an action: what has no effect in the recording only tells so.
  static func rule(_ event: YAMLValue, if condition: String? = nil, _ actions: [YAMLValue]) -> YAMLValue {
    let actions = actions.isEmpty ? [log("no effect, as recorded")] : actions
    var entries = [YAMLValue.Entry("on", event)]
    entries.add("if", condition.map { .text($0) })
    entries.append(.init("do", actions.count == 1 ? actions[0] : .list(actions, .block)))
    return .object(entries, actions.count == 1 ? .compact : .block)
  }

  mutating func addVariable(_ name: String, isPerCentral: Bool) {
    var entries: [YAMLValue.Entry] = [.init("type", .word("integer")), .init("default", .number(0))]
    if isPerCentral { entries.append(.init("per", .word("central"))) }
    definition.variables.append(.init(name, .object(entries, .flow)))
  }

  /// A branch for each effect. Each of them ends the rule: the next request may choose another one while it waits.
  private mutating func variants(
    of steps: RecordedSteps, _ name: String, origin: AttributeHandle?, _ scene: String?
  ) -> [YAMLValue] {
    let step = names.unique("step-\(name)")
    addVariable(step, isPerCentral: steps.isPerCentral)
    var actions = [stepping(steps, step, name).0]
    for (index, script) in steps.scripts.enumerated() {
      let branch = self.actions(of: script, name, origin: origin, scene)
      guard index < steps.scripts.count - 1 else { return actions + branch }
      actions.append(
        .object(
          [
            .init("if", .text("\(step) == \(index + 1)")),
            .init("then", .list(branch + [.text("end")], branch.isEmpty ? .flow : .block)),
          ],
          .block))
    }
    return actions
  }

  /// The actions of a script, with a message for each value.
  private mutating func actions(
    of script: RecordedScript, _ name: String, origin: AttributeHandle?, _ scene: String?
  ) -> [YAMLValue] {
    var (actions, time): ([YAMLValue], Int64) = ([], 0)
    for cue in script.cues {
      actions += wait(cue.time - time, scene)
      time = cue.time
      var send: [YAMLValue.Entry] = [.init("send", .text(answer(cue.value, to: name)))]
      if cue.handle != origin { send.add("to", table.id(of: cue.handle).map { .text($0) }) }
      actions.append(.object(send, .flow))
    }
    if let end = script.end { actions += wait(end.time - time, scene) + [Self.disconnection(end.reason)] }
    return actions
  }

  /// A wait, after which the effect ends if another request has led the connection elsewhere.
  private func wait(_ milliseconds: Int64, _ scene: String?) -> [YAMLValue] {
    guard milliseconds > 0 else { return [] }
    let time = Duration.milliseconds(min(milliseconds, 2_592_000_000)).written
    return [.object([.init("wait", .text(time))], .flow)] + ending(scene)
  }

  /// - Parameter scene: the variable that has the place where the effect began; nil: it goes on.
  func ending(_ scene: String?) -> [YAMLValue] {
    guard let scene else { return [] }
    return [
      .object(
        [
          .init("if", .text("\(LearntDefinition.scene) != \(scene)")),
          .init("then", .list([.text("end")], .flow)),
        ], .flow)
    ]
  }

  static func disconnection(_ reason: HCIError) -> YAMLValue {
    let isPossible = HCIError.reasonsToDisconnect.contains(reason) && reason != .remoteUserTerminated
    return isPossible ? .object([.init("disconnect", .text(reason.name))], .flow) : .text("disconnect")
  }

  /// The name of the message with these bytes.
  private mutating func answer(_ value: [UInt8], to name: String) -> String {
    if let known = answers[value] { return known }
    let message = names.unique("answer-\(name)")
    answers[value] = message
    definition.messages.append(.init(message, value.isEmpty ? .quoted("") : .text(HexText.format(value))))
    return message
  }
}
