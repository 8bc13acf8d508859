/// Copies shared actions into the rules that perform them: `{ perform: NAME }` gets them under `then`.
///
/// All checks of a rule's actions then apply to them as well. They keep their places in the file.
struct ActionExpander {
  /// The greatest depth to which shared actions perform one another.
  static let mostDepth = 8
  /// The most actions that all rules perform by name, including those inside them.
  static let mostPerformed = 20_000

  private let shared: [String: YAMLNode]
  private let log: DiagnosticLog
  private var expansions: [String: Expansion] = [:]
  private var performedCount = 0

  /// The actions of a name, and their number including those that they perform.
  private struct Expansion {
    var actions: [YAMLNode] = []
    var count = 0
  }

  init(_ tree: YAMLNode, log: DiagnosticLog) {
    self.log = log
    let entries = tree[Language.Definition.outline.keys.sharedActions.name]?.entries ?? []
    let actions = entries.compactMap { entry in
      entry.key.text.flatMap(Signature.init).map { ($0.name, entry.value) }
    }
    shared = Dictionary(actions) { first, _ in first }
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
    node.with(
      .sequence(
        node.elements.map { rule in
          rule.replacing([Language.RuleGroup.outline.keys.rules.name]) { rules($0) }
            .replacing([Language.Rule.outline.keys.actions.name]) { ruleActions($0) }
        }))
  }

  private mutating func ruleActions(_ node: YAMLNode) -> YAMLNode {
    guard !log.isClosed else { return node }
    var count = 0
    let expanded = actions(node, [], &count)
    performedCount += count
    if performedCount > Self.mostPerformed {
      log.close(with: .tooManyPerformed(most: Self.mostPerformed), at: node.startRange)
    }
    return expanded
  }

  /// One action, or a list of them.
  ///
  /// - Parameters:
  ///   - path: the names that are being performed.
  ///   - count: is increased by the number of performed actions.
  private mutating func actions(_ node: YAMLNode, _ path: [String], _ count: inout Int) -> YAMLNode {
    guard case .sequence(let elements) = node.content else { return action(node, path, &count) }
    return node.with(.sequence(elements.map { action($0, path, &count) }))
  }

  private mutating func action(_ node: YAMLNode, _ path: [String], _ count: inout Int) -> YAMLNode {
    let keys = Language.Action.outline.keys
    guard let name = node[keys.perform.name], name.text != nil else {
      return node.replacing([keys.repeated.name, keys.then.name, keys.otherwise.name]) {
        actions($0, path, &count)
      }
    }
    let node = node.replacing([keys.otherwise.name]) { actions($0, path, &count) }
    guard let expansion = expansion(of: name, path) else { return node }
    count = min(count + expansion.count, Self.mostPerformed + 1)
    let key = YAMLNode(content: .scalar(keys.then.name), range: name.range)
    let list = YAMLNode(content: .sequence(expansion.actions), range: name.range)
    return node.with(.mapping(node.entries + [YAMLNode.Entry(key: key, value: list)]))
  }

  /// nil if it is not possible.
  private mutating func expansion(of place: YAMLNode, _ path: [String]) -> Expansion? {
    let name = place.text ?? ""
    if let known = expansions[name] { return known }
    guard let node = shared[name] else {
      log.error(.unknownActions(name, known: shared.keys.sorted()), at: place.range)
      return nil
    }
    if let start = path.firstIndex(of: name) {
      log.error(.performsItself(path[start...] + [name]), at: place.range)
      return nil
    }
    guard path.count < Self.mostDepth else {
      log.error(.performedTooDeep(most: Self.mostDepth), at: place.range)
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
      log.close(with: .tooManyPerformed(most: Self.mostPerformed), at: place.range)
      return nil
    }
    expansions[name] = expansion
    return expansion
  }
}

extension Node where Keys == Language.Action {
  /// The number of actions in a node, one or a list, including those inside them.
  fileprivate static func count(in node: YAMLNode) -> Int {
    let actions = if case .sequence(let elements) = node.content { elements } else { [node] }
    return actions.map { Node($0) }.withInner.count
  }
}

extension YAMLNode {
  /// The node with the values under some of its keys replaced.
  fileprivate func replacing(_ keys: [String], by change: (YAMLNode) -> YAMLNode) -> YAMLNode {
    guard case .mapping(var entries) = content else { return self }
    var hasChanged = false
    for (index, entry) in entries.enumerated() where entry.key.text.map(keys.contains) ?? false {
      let value = change(entry.value)
      hasChanged = hasChanged || value !== entry.value
      entries[index] = Entry(key: entry.key, value: value)
    }
    return hasChanged ? with(.mapping(entries)) : self
  }
}
