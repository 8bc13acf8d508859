import Bluetooth
import DeviceModel

/// Writes the actions of one rule. The counterpart of `ActionDecoder`.
struct ActionWriter {
  let rule: Rule
  let device: PeripheralDefinition
  let names: Names
  /// Without the parameters of the shared actions around.
  let outerNames: Names
  let shared: SharedActionTexts

  init(
    rule: Rule, device: PeripheralDefinition, names: Names, outer: Names? = nil, shared: SharedActionTexts
  ) {
    (self.rule, self.device, self.names, outerNames) = (rule, device, names, outer ?? names)
    self.shared = shared
  }

  private var writer: ExpressionWriter { ExpressionWriter(device: device, names: names) }

  /// One action, or a list of them.
  func actions(_ steps: [Rule.Step]) throws -> YAMLValue {
    .oneOrMore(try steps.map(action), .block)
  }

  private func action(_ step: Rule.Step) throws -> YAMLValue {
    if let word = Self.word(step.action) {
      guard let condition = step.condition else { return .word(word) }
      let entries = [YAMLValue.Entry("if", try writer.value(condition)), .init("then", .word(word))]
      return .object(entries + (try otherwise(step)), .compact)
    }
    var entries: [YAMLValue.Entry] = []
    entries.add("if", try step.condition.map { try writer.value($0) })
    return .object(entries + (try keys(step.action)) + (try otherwise(step)), .compact)
  }

  private func otherwise(_ step: Rule.Step) throws -> [YAMLValue.Entry] {
    step.otherwise.isEmpty ? [] : [.init("else", try actions(step.otherwise))]
  }

  /// The action as a word; nil: it has keys.
  private static func word(_ action: Rule.Action) -> String? {
    switch action {
    case .bridge: "bridge"
    case .end: "end"
    case .respond(nil): "respond"
    case .reset: "reset"
    case .restoreSettings: "restore-settings"
    case .applyBaud: "apply-baud"
    case .applyAttributes: "apply-attributes"
    case .discover: "discover"
    case .disconnect(.all, .remoteUserTerminated): "disconnect"
    default: nil
    }
  }

  private func name(of destination: Rule.Destination) -> String {
    if case .endpoint(let place) = destination { device.name(of: place) } else { "origin" }
  }

  private func keys(_ action: Rule.Action) throws -> [YAMLValue.Entry] {
    switch action {
    case .send(let content, let destination):
      var entries = try keys("send", content)
      if destination != device.destination(afterAnyOf: rule.triggers) {
        entries.add("to", .text(name(of: destination)))
      }
      return entries
    case .sendPDU(let packet): return [.init("send-pdu", .quoted(packet.source))]
    case .respond(let content?): return try keys("respond", content)
    case .refuse(let error, let handle):
      let named = try handle.map { [YAMLValue.Entry("handle", try writer.value($0))] } ?? []
      return [.init("refuse", .text(error.name))] + named
    case .set(let assignments): return [.init("set", .map(try assignments.map(assignment), .compact))]
    case .setNamed(let name, let value):
      return [.init("set-setting", try writer.value(name)), .init("value", try writer.value(value))]
    case .receive(let bytes, let place):
      let from = place.map { [YAMLValue.Entry("from", .text(device.name(of: $0)))] } ?? []
      return [.init("receive", try writer.value(bytes))] + from
    case .enter(let state): return [.init("enter", .text(device.states[state]))]
    case .start(let timer, let time, let repeats):
      return [
        .init("start", .text(device.timers[timer])),
        .init(repeats ? "every" : "after", try writer.duration(time)),
      ] + (device.timersPerCentral.contains(timer) ? [.init("per", .word("central"))] : [])
    case .stop(let timer): return [.init("stop", .text(device.timers[timer]))]
    case .wait(let time): return [.init("wait", try writer.duration(time))]
    case .repeat(let count, let index, let steps): return try loop(count, index, steps)
    case .group(let steps): return [.init("then", try actions(steps))]
    case .perform(let performance): return try perform(performance)
    case .hold(let place): return [.init("hold", .text(device.name(of: place)))]
    case .release(let place): return [.init("release", .text(device.name(of: place)))]
    case .advertise(let isAdvertising): return [.init("advertise", try writer.value(isAdvertising))]
    case .disconnect(.all, let reason): return [.init("disconnect", .text(reason.name))]
    case .disconnect(.central, let reason):
      let given = reason == .remoteUserTerminated ? [] : [YAMLValue.Entry("reason", .text(reason.name))]
      return [.init("disconnect", .text("central"))] + given
    case .close(let channel): return [.init("close", .text(device.channels[channel].id))]
    case .subscribe(let index): return [.init("subscribe", .text(device.sought[index].id))]
    case .readSought(let index): return [.init("read", .text(device.sought[index].id))]
    case .askLink(let change):
      return [
        change.phys.map { .init("ask-phy", .text($0.sent.word)) },
        change.packetSizes.map { .init("ask-data-length", .number(Int($0.sent))) },
      ].compactMap(\.self)
    case .forget(let choice): return [.init("forget", .text(choice.rawValue))]
    case .log(let text): return [.init("log", .quoted(text.source))]
    case .bridge, .end, .respond(nil), .reset, .restoreSettings, .applyBaud, .applyAttributes, .discover:
      preconditionFailure("a word has no keys")
    }
  }

  private func assignment(_ slot: Rule.Slot, _ expression: Expression) throws -> YAMLValue.Entry {
    .init(device[slot].name, try writer.value(expression, as: device[slot].kind.valueType))
  }

  private func loop(_ count: Expression, _ index: Int, _ steps: [Rule.Step]) throws -> [YAMLValue.Entry] {
    let inner = inside(repetition: index)
    var entries: [YAMLValue.Entry] = [.init("repeat", try writer.value(count))]
    entries.add("index", rule.locals[index].map { .text($0) })
    entries.add("do", try inner.actions(steps))
    return entries
  }
}

// MARK: Shared actions

/// The shared actions with parameters that rules perform, as they are written.
final class SharedActionTexts {
  private(set) var entries: [YAMLValue.Entry] = []

  /// The name under which actions are shared: their own, or another if actions with other texts have it.
  func name(for actions: YAMLValue, _ name: String, _ parameters: [String]) -> String {
    for number in 1... {
      let name = number == 1 ? name : "\(name)-\(number)"
      let key = "\(name)(\(parameters.joined(separator: ", ")))"
      guard let entry = entries.first(where: { $0.key.hasPrefix(name + "(") }) else {
        entries.append(.init(key, actions))
        return name
      }
      if entry == .init(key, actions) { return name }
    }
    preconditionFailure("numbers do not end")
  }
}

extension ActionWriter {
  fileprivate func inside(repetition index: Int) -> ActionWriter {
    ActionWriter(
      rule: rule, device: device, names: names.adding(repetition: index),
      outer: outerNames.adding(repetition: index), shared: shared)
  }

  private func perform(_ performance: Rule.Performance) throws -> [YAMLValue.Entry] {
    let inner = ActionWriter(
      rule: rule, device: device, names: outerNames.adding(parameters: performance), outer: outerNames,
      shared: shared)
    let actions = try inner.actions(performance.steps)
    let name = shared.name(for: actions, performance.sharedName, performance.parameters)
    let arguments = try zip(performance.parameters, performance.arguments).map {
      YAMLValue.Entry($0, try writer.value($1))
    }
    return [.init("perform", .text(name)), .init("with", .map(arguments, .compact))]
  }
}

// MARK: Messages

extension ActionWriter {
  private func keys(_ key: String, _ content: Rule.Content) throws -> [YAMLValue.Entry] {
    switch content {
    case .template(let template):
      return [.init(key, DefinitionWriter.message(template.source, template.form))]
    case .message(let index, let sources):
      let message = device.messages[index]
      let fields = try zip(message.fields, sources).compactMap { field, source -> YAMLValue.Entry? in
        guard !isImplied(source, field) else { return nil }
        return try filling(source, field).map { .init(field.name, $0) }
      }
      let with = fields.isEmpty ? [] : [YAMLValue.Entry("with", .map(fields, .compact))]
      return [.init(key, .text(message.name))] + with
    }
  }

  /// Whether a field has this source without a word, because of its name.
  private func isImplied(_ source: Rule.FieldSource, _ field: MessageTemplate.Field) -> Bool {
    switch source {
    case .value(let expression):
      guard let meaning = names[field.name] else { return false }
      return expression == meaning || (field.valueType == .decimal && expression == meaning.asDecimal)
    case .table(let index, _): return names[field.name] == nil && device.tables[index].name == field.name
    case .absent: return true
    case .rows, .repeated: return false
    }
  }

  /// What fills a field; nil: nothing does.
  private func filling(_ source: Rule.FieldSource, _ field: MessageTemplate.Field) throws -> YAMLValue? {
    switch source {
    case .value(.columns(_, let group)): return try writer.value(group)
    case .value(let expression): return try writer.value(expression, as: field.valueType)
    case .table(let index, _): return .text(device.tables[index].name)
    case .rows(let rows) where field.isSingle && rows.count == 1: return try row(rows[0], field)
    case .rows(let rows): return .list(try rows.map { try row($0, field) }, .compact)
    case .repeated(let count, let index, let row, _):
      let inner = inside(repetition: index)
      var entries: [YAMLValue.Entry] = [.init("repeat", try writer.value(count))]
      entries.add("index", rule.locals[index].map { .text($0) })
      entries.add("row", try inner.row(row, field))
      return .object(entries, .compact)
    case .absent: return nil
    }
  }

  private func row(_ row: Rule.Row, _ group: MessageTemplate.Field) throws -> YAMLValue {
    let condition = try row.condition.map { [YAMLValue.Entry("if", try writer.value($0))] } ?? []
    let cells = try zip(group.columns, row.cells).compactMap { column, source in
      try filling(source, column).map { YAMLValue.Entry(column.name, $0) }
    }
    return .map(condition + cells, .compact)
  }
}
