import DeviceModel
import Framing

/// A rule in words, as lists and reports show it.
enum RuleText {
  static func source(of rule: RuleNode) -> Rule.Source {
    var source = Rule.Source()
    source.event = rule.event.map(event) ?? ""
    if rule.event?["receive"] != nil, rule.event?["from"] == nil, let from = rule.from {
      source.event += " from \(from.inline)"
    }
    for states in rule.states { source.event += " in \(states.inline)" }
    source.condition = condition(rule.conditions.compactMap(\.text))
    source.actions = rule.node["do"].map { actions($0) } ?? []
    return source
  }

  private static func condition(_ texts: [String]) -> String? {
    texts.count > 1 ? texts.map { "(\($0))" }.joined(separator: " and ") : texts.first
  }

  private static func event(_ node: YAMLNode) -> String {
    node.text ?? node.entries.map { "\($0.key.inline) \($0.value.inline)" }.joined(separator: " ")
  }

  private static func actions(_ node: YAMLNode) -> [String] {
    guard case .sequence(let elements) = node.content else { return [action(node)] }
    return elements.map(action)
  }

  private static func action(_ node: YAMLNode) -> String {
    if let text = node.text { return text }
    let parts = node.entries.filter { $0.key.text != "if" }.map { entry in
      entry.key.text == "do" || entry.key.text == "then"
        ? "{ \(actions(entry.value).joined(separator: "; ")) }" : "\(entry.key.inline) \(entry.value.inline)"
    }
    let condition = node["if"].map { " if \($0.inline)" } ?? ""
    return parts.joined(separator: " ") + condition
  }
}

extension YAMLNode {
  /// On one line: `a = 1, b = 2` for a mapping, a message without a name as it is written.
  fileprivate var inline: String {
    switch content {
    case .scalar: text ?? ""
    case .sequence(let elements) where elements.allSatisfy({ $0.text != nil }):
      elements.map(\.inline).joined(separator: ", ")
    case .sequence(let rows): rows.map { "(\($0.inline))" }.joined(separator: " ")
    case .mapping(let entries):
      if let message = self["text"]?.text {
        "\"\(PrintableText.escape(Array(message.utf8)))\""
      } else if let message = self["bytes"]?.text {
        "[\(message)]"
      } else {
        entries.map { "\($0.key.inline) = \($0.value.inline)" }.joined(separator: ", ")
      }
    }
  }
}
