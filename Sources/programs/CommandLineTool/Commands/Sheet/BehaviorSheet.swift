import Definitions
import DeviceModel
import Devices
import Framing

/// Lists the settings, variables, messages and rules of a device.
struct BehaviorSheet {
  private let choice: DefinitionChoice
  private var definition: PeripheralDefinition { choice.definition }

  init(_ choice: DefinitionChoice) {
    self.choice = choice
  }

  var text: String {
    [
      section("settings", zip(definition.settings, choice.settings).map(slot)),
      section("variables", definition.variables.map { slot($0, $0.initial) }),
      section("controls", definition.controls.map(control)),
      section("states", definition.states.isEmpty ? [] : [definition.states.joined(separator: ", ")]),
      section(
        "layers", definition.layers.isEmpty ? [] : [definition.layers.map(\.name).joined(separator: ", ")]),
      section("generators", definition.generators.map { $0.name.padded(to: 22, gap: 2) + $0.shape.words }),
      section("functions", definition.functions.map(function)),
      section("messages, with examples", definition.namedMessages.flatMap(message)),
      section("actions that rules perform", definition.sharedActions.flatMap(actions)),
      section("rules, by line; the first rule that matches an event fires", definition.rules.flatMap(rule)),
      section("faults, by number", definition.faults.enumerated().map(fault)),
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : title + "\n" + lines.map { "  \($0)\n" }.joined()
  }

  private func slot(_ slot: SettingDefinition, _ value: Value) -> String {
    let value = slot.isDrawn && value == slot.initial ? "random" : "\(value)"
    return slot.name.padded(to: 22, gap: 2) + value.padded(to: 20, gap: 2) + slot.kind.words
      + (slot.isPerCentral ? ", for each central" : "")
  }

  private func control(_ control: ControlDefinition) -> String {
    let form = definition.form(of: control).rawValue
    let label = control.label == control.name ? "" : control.label
    let head = control.name.padded(to: 22, gap: 2) + label.padded(to: 20, gap: 2) + form
    guard case .bound(let slot) = control.kind else { return head }
    return "\(head), sets \(definition[slot].name)"
  }

  private func message(_ message: MessageTemplate) -> [String] {
    let isText = message.form != .bytes
    let source = isText ? "\"\(PrintableText.escape(Array(message.source.utf8)))\"" : message.source
    let values = message.sampleValues()
    let line = message.name.padded(to: 22, gap: 2) + source
    guard let bytes = try? message.build(values) else { return [line] }
    let fields = zip(message.fields, values).compactMap { field, value in
      value.map { "\(field.name)=\($0)" }
    }
    let example = isText ? "\"\(PrintableText.escape(bytes))\"" : HexText.format(bytes)
    return [line, String(repeating: " ", count: 22) + ([example] + fields).joined(separator: "  ")]
  }

  private func function(_ function: NamedFunction) -> String {
    "\(function.name)(\(function.parameters.joined(separator: ", ")))".padded(to: 22, gap: 2)
      + function.source
  }

  private func actions(_ shared: (name: String, actions: [String])) -> [String] {
    [shared.name] + shared.actions.map { "        \($0)" }
  }

  private func fault(_ index: Int, _ fault: Fault) -> String {
    "\(index + 1)".padded(to: 6, gap: 2) + fault.description
  }

  private func rule(_ rule: Rule) -> [String] {
    let condition = rule.source.condition.map { " if \($0)" } ?? ""
    let line = rule.file.map { "\($0):\(rule.line) " } ?? String(rule.line)
    let head = "\(line.padded(to: 6, gap: 2))on \(rule.source.event)\(condition)"
    return [head] + rule.source.actions.map { "        \($0)" }
  }
}

extension SettingDefinition.Kind {
  /// The type in words, as in "text, at most 12 bytes".
  fileprivate var words: String {
    switch self {
    case .text(let max): "text, at most \(max) bytes"
    case .integer(let range): Self.words("integer", range.least, range.greatest)
    case .decimal(let range): Self.words("decimal", range.least, range.greatest)
    case .boolean: "true or false"
    case .bytes(let max): "at most \(max) bytes"
    case .oneOf(let values): "one of \(values.map(\.description).joined(separator: ", "))"
    }
  }

  private static func words<T>(_ type: String, _ least: T?, _ greatest: T?) -> String {
    ([type] + [least.map { "from \($0)" }, greatest.map { "to \($0)" }].compactMap { $0 }).joined(
      separator: " ")
  }
}

extension GeneratorDefinition.Shape {
  fileprivate var words: String {
    switch self {
    case .sine(let least, let most, let period):
      "sine from \(least) to \(most) in \(Duration.milliseconds(period).written)"
    case .ramp(let from, let to, let over):
      "ramp from \(from) to \(to) in \(Duration.milliseconds(over).written)"
    case .randomWalk(let range, let step, let every):
      "walk from \(range.lowerBound) to \(range.upperBound) by up to \(step) every \(Duration.milliseconds(every).written)"
    case .random(let range, let every):
      "random from \(range.lowerBound) to \(range.upperBound) every \(Duration.milliseconds(every).written)"
    case .replay(_, _, let every): "replay, a row every \(Duration.milliseconds(every).written)"
    }
  }
}
