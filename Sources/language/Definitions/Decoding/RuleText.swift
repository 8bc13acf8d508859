import DeviceModel
import Framing

/// A rule in words, as lists and reports show it.
enum RuleText {
  static func source(of entry: RuleEntry) -> Rule.Source {
    var source = Rule.Source()
    source.event = entry.rule.event.map(event) ?? ""
    if let event = entry.rule.event, !event.receive.isEmpty || !event.send.isEmpty, event.origins.isEmpty,
      !entry.origins.isEmpty
    {
      source.event += " from \(list(entry.origins))"
    }
    for states in entry.states { source.event += " in \(list(states))" }
    for states in entry.lasting { source.event += " while \(list(states))" }
    source.condition = condition(entry.conditions.map(\.text))
    source.actions = entry.rule.actions.map(action)
    return source
  }

  private static func list(_ scalars: [Scalar]) -> String { scalars.map(\.text).joined(separator: ", ") }

  private static func condition(_ texts: [String]) -> String? {
    texts.count > 1 ? texts.map { "(\($0))" }.joined(separator: " and ") : texts.first
  }

  private static func event(_ event: Node<Language.Event>) -> String {
    event.word?.text
      ?? event.entries.map { entry in
        [Language.Event.outline.keys.receive.name, Language.Event.outline.keys.send.name]
          .contains(entry.key.text)
          ? entry.key.inline + " " + messages(entry.value) : inline(entry)
      }.joined(separator: " ")
  }

  private static func inline(_ entry: YAMLNode.Entry) -> String {
    entry.key.inline + " " + entry.value.inline
  }

  /// Messages without a name may be among several.
  private static func messages(_ node: YAMLNode) -> String {
    if case .sequence(let elements) = node.content {
      elements.map(\.inline).joined(separator: ", ")
    } else {
      node.inline
    }
  }

  static func action(_ action: Node<Language.Action>) -> String {
    if let word = action.word { return word.text }
    let keys = Language.Action.outline.keys
    let parts = action.entries.compactMap { entry -> String? in
      switch entry.key.text {
      case keys.condition.name, keys.otherwise.name: nil
      case keys.repeated.name: block(action.repeated)
      case keys.then.name: action.perform == nil ? block(action.then) : nil
      default: inline(entry)
      }
    }
    let condition = action.condition.map { " if " + $0.text } ?? ""
    let otherwise = action.otherwise.isEmpty ? "" : " else " + block(action.otherwise)
    return parts.joined(separator: " ") + condition + otherwise
  }

  private static func block(_ actions: [Node<Language.Action>]) -> String {
    "{ \(actions.map(action).joined(separator: "; ")) }"
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
      if let text = Node<Language.Message>(self).text?.text {
        "\"" + PrintableText.escape(Array(text.utf8)) + "\""
      } else if let bytes = Node<Language.Message>(self).bytes?.text {
        "[\(bytes)]"
      } else {
        entries.map { $0.key.inline + " = " + $0.value.inner }.joined(separator: ", ")
      }
    }
  }

  /// Inside a mapping.
  private var inner: String {
    if case .mapping = content { "(\(inline))" } else { inline }
  }
}
