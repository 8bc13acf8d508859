/// Puts the actions that rules share into the rules that perform them: `{ perform: NAME }` gets them under `then`.
///
/// So whatever follows the actions of a rule, follows them, too. They keep their places in the file.
struct ActionExpander {
  /// The most shared actions that perform each other.
  static let mostDepth = 8
  /// The most actions that all rules perform by name, with those inside them.
  static let mostPerformed = 20_000

  private let shared: [String: YAMLNode]
  private let log: DiagnosticLog
  private var expansions: [String: Expansion] = [:]
  private var performedCount = 0

  /// The actions of a name, and how many they are with those that they perform.
  private struct Expansion {
    var actions: [YAMLNode] = []
    var count = 0
  }

  init(_ tree: YAMLNode, log: DiagnosticLog) {
    self.log = log
    let entries = tree[Language.Definition.outline.keys.sharedActions.name]?.entries ?? []
    shared = Dictionary(entries.compactMap { entry in entry.key.text.map { ($0, entry.value) } }) {
      first, _ in
      first
    }
  }

  /// The tree of a definition with the actions in its rules.
  mutating func expand(_ tree: YAMLNode) -> YAMLNode {
    let keys = Language.Definition.outline.keys
    return tree.replacing([keys.rules.name]) { rules($0) }.replacing([keys.controls.name]) { controls($0) }
  }

  private mutating func controls(_ node: YAMLNode) -> YAMLNode {
    node.replacing(node.entries.compactMap(\.key.text)) { control in
      control.replacing([Language.Control.outline.keys.actions.name]) { ruleActions($0) }
    }
  }

  private mutating func rules(_ node: YAMLNode) -> YAMLNode {
    var list = node
    list.content = .sequence(
      node.elements.map { rule in
        rule.replacing([Language.RuleGroup.outline.keys.rules.name]) { rules($0) }
          .replacing([Language.Rule.outline.keys.actions.name]) { ruleActions($0) }
      })
    return list
  }

  private mutating func ruleActions(_ node: YAMLNode) -> YAMLNode {
    guard !log.isClosed else { return node }
    var count = 0
    let expanded = actions(node, [], &count)
    performedCount += count
    if performedCount > Self.mostPerformed {
      log.close(with: RuleMistake.tooManyPerformed(most: Self.mostPerformed), at: node.startRange)
    }
    return expanded
  }

  /// One action, or a list of them.
  ///
  /// - Parameters:
  ///   - path: the names that are being performed.
  ///   - count: to which the number of performed actions is added.
  private mutating func actions(_ node: YAMLNode, _ path: [String], _ count: inout Int) -> YAMLNode {
    guard case .sequence(let elements) = node.content else { return action(node, path, &count) }
    var list = node
    list.content = .sequence(elements.map { action($0, path, &count) })
    return list
  }

  private mutating func action(_ node: YAMLNode, _ path: [String], _ count: inout Int) -> YAMLNode {
    let keys = Language.Action.outline.keys
    guard let name = node[keys.perform.name], name.text != nil else {
      return node.replacing([keys.repeated.name, keys.then.name]) { actions($0, path, &count) }
    }
    guard let expansion = expansion(of: name, path) else { return node }
    count = min(count + expansion.count, Self.mostPerformed + 1)
    var action = node
    let key = YAMLNode(content: .scalar(keys.then.name), range: name.range)
    let list = YAMLNode(content: .sequence(expansion.actions), range: name.range)
    action.content = .mapping(node.entries + [YAMLNode.Entry(key: key, value: list)])
    return action
  }

  /// nil where it is not possible.
  private mutating func expansion(of place: YAMLNode, _ path: [String]) -> Expansion? {
    let name = place.text ?? ""
    if let known = expansions[name] { return known }
    guard let node = shared[name] else {
      log.error(RuleMistake.unknownActions(name, known: shared.keys.sorted()), at: place.range)
      return nil
    }
    if let start = path.firstIndex(of: name) {
      log.error(RuleMistake.performsItself(path[start...] + [name]), at: place.range)
      return nil
    }
    guard path.count < Self.mostDepth else {
      log.error(RuleMistake.performedTooDeep(most: Self.mostDepth), at: place.range)
      return nil
    }
    return expand(name, node, path, at: place)
  }

  private mutating func expand(
    _ name: String, _ node: YAMLNode, _ path: [String], at place: YAMLNode
  ) -> Expansion? {
    var count = 0
    let list = actions(node, path + [name], &count)
    let own = if case .sequence(let elements) = list.content { elements } else { [list] }
    let expansion = Expansion(actions: own, count: count + Node<Language.Action>.count(in: node))
    guard expansion.count <= Self.mostPerformed else {
      log.close(with: RuleMistake.tooManyPerformed(most: Self.mostPerformed), at: place.range)
      return nil
    }
    expansions[name] = expansion
    return expansion
  }
}

extension Node where Keys == Language.Action {
  /// How many actions a node has, one or a list, with those inside them.
  fileprivate static func count(in node: YAMLNode) -> Int {
    let actions = if case .sequence(let elements) = node.content { elements } else { [node] }
    return actions.map { Node($0) }.withInner.count
  }
}

extension YAMLNode {
  /// The node with the values under some of its keys replaced.
  fileprivate func replacing(_ keys: [String], by change: (YAMLNode) -> YAMLNode) -> YAMLNode {
    guard case .mapping(var entries) = content else { return self }
    for index in entries.indices where entries[index].key.text.map(keys.contains) ?? false {
      entries[index].value = change(entries[index].value)
    }
    var node = self
    node.content = .mapping(entries)
    return node
  }
}
