/// A rule as it stands in the file, with the groups around it.
struct RuleNode {
  var node: YAMLNode
  /// From the outermost in.
  var groups: [YAMLNode]

  /// Those of a list, of its groups, of their groups, in the order of the file.
  static func all(in list: YAMLNode?, of groups: [YAMLNode] = []) -> [RuleNode] {
    (list?.elements ?? []).flatMap { node in
      guard let rules = node["rules"] else { return [RuleNode(node: node, groups: groups)] }
      return all(in: rules, of: groups + [node])
    }
  }

  /// The event that it waits for.
  var event: YAMLNode? { node["on"] }

  /// Where its message arrives: as it says itself, else as the innermost group does that says so.
  var from: YAMLNode? { event?["from"] ?? groups.reversed().lazy.compactMap { $0["from"] }.first }

  /// All of them must hold.
  var conditions: [YAMLNode] { (groups + [node]).compactMap { $0["if"] } }

  /// It must be in one of each.
  var states: [YAMLNode] { (groups + [node]).compactMap { $0["in"] } }
}

extension YAMLNode {
  /// The actions of a rule or action, those inside others too.
  var actionsBelow: [YAMLNode] {
    let actions = [self["do"], self["then"]].compactMap(\.self).flatMap { node in
      node.elements.isEmpty ? [node] : node.elements
    }
    return actions + actions.flatMap(\.actionsBelow)
  }
}
