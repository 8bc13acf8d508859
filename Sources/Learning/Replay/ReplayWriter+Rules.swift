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
    let (scripts, isPerCentral) = Self.steps(of: occurrences)
    guard let first = scripts.first else { return [] }
    if scripts.allSatisfy({ $0.cues.isEmpty && $0.end == nil }) {
      guard alwaysWritten else { return [] }
      return [Self.rule(event, [.object([.init("log", .text("\(name): no effect was recorded"))], .flow)])]
    }
    let isShort = scripts.allSatisfy {
      $0.cues.count <= Self.mostActions && $0.cues.allSatisfy { $0.value.count <= Self.longestValue }
    }
    if scripts.allSatisfy({ $0.isLike(first) }), isShort {
      return [Self.rule(event, actions(of: first, name, origin: origin))]
    }
    if isShort, scripts.count <= Self.mostVariants {
      return variants(of: scripts, on: event, name, origin: origin, isPerCentral)
    }
    return [Self.rule(event, tableActions(of: scripts, name, origin: origin, isPerCentral))]
  }

  /// The effects in the order of stepping, and whether each connection begins with the first.
  private static func steps(of occurrences: [[RecordedScript]]) -> ([RecordedScript], isPerCentral: Bool) {
    let longest = occurrences.max { $0.count < $1.count } ?? []
    let agree = occurrences.allSatisfy { zip($0, longest).allSatisfy { $0.isLike($1) } }
    let steps = agree ? longest : Array(occurrences.joined())
    return (steps, agree)
  }

  static func rule(_ event: YAMLValue, if condition: String? = nil, _ actions: [YAMLValue]) -> YAMLValue {
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

  /// A rule for each effect. Each waits and sends by itself, so the next one may begin meanwhile.
  private mutating func variants(
    of scripts: [RecordedScript], on event: YAMLValue, _ name: String, origin: AttributeHandle?,
    _ isPerCentral: Bool
  ) -> [YAMLValue] {
    let step = names.unique("step-\(name)")
    addVariable(step, isPerCentral: isPerCentral)
    return scripts.enumerated().map { index, script in
      let isLast = index == scripts.count - 1
      let next = YAMLValue.object(
        [.init("set", .map([.init(step, .number(isLast ? 0 : index + 1))], .flow))], .flow)
      return Self.rule(
        event, if: isLast ? nil : "\(step) == \(index)", [next] + actions(of: script, name, origin: origin))
    }
  }

  /// The actions of a script, with a message for each value.
  private mutating func actions(
    of script: RecordedScript, _ name: String, origin: AttributeHandle?
  ) -> [YAMLValue] {
    var (actions, time): ([YAMLValue], Int64) = ([], 0)
    for cue in script.cues {
      actions += wait(cue.time - time)
      time = cue.time
      var send: [YAMLValue.Entry] = [.init("send", .text(answer(cue.value, to: name)))]
      if cue.handle != origin { send.add("to", table.id(of: cue.handle).map { .text($0) }) }
      actions.append(.object(send, .flow))
    }
    if let end = script.end { actions += wait(end.time - time) + [Self.disconnection(end.reason)] }
    return actions
  }

  private func wait(_ milliseconds: Int64) -> [YAMLValue] {
    milliseconds <= 0
      ? []
      : [
        .object(
          [.init("wait", .text(Duration.milliseconds(min(milliseconds, 2_592_000_000)).written))], .flow)
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
