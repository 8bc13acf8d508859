/// A rule of a definition, with the groups around it.
struct RuleEntry {
  var rule: Node<Language.Rule>
  /// From the outermost in.
  var groups: [Node<Language.RuleGroup>]
  /// Whether it is the `do` of a control.
  var isOfControl = false

  /// The rules of a list, of its groups, of their groups, in the order of the file.
  static func all(in items: [Language.RuleItem], of groups: [Node<Language.RuleGroup>] = []) -> [RuleEntry] {
    items.flatMap { item in
      switch item {
      case .rule(let rule): [RuleEntry(rule: rule, groups: groups)]
      case .group(let group): all(in: group.rules, of: groups + [group])
      }
    }
  }

  /// The places at which its message arrives: those of the rule, else those of the innermost group that names some.
  var origins: [Scalar] {
    ([rule.event?.origins ?? []] + groups.reversed().map { $0.origins }).first { !$0.isEmpty } ?? []
  }

  /// All of them must be true.
  var conditions: [Scalar] { (groups.map { $0.condition } + [rule.condition]).compactMap { $0 } }

  /// The device must be in a state of each.
  var states: [[Scalar]] { (groups.map { $0.states } + [rule.states]).filter { !$0.isEmpty } }

  /// Likewise; the rule also ends when the device leaves the states of one.
  var lasting: [[Scalar]] { (groups.map { $0.lasting } + [rule.lasting]).filter { !$0.isEmpty } }
}

extension Node where Keys == Language.Action {
  /// The actions of a loop or a group, and those in place of it.
  var inner: [Self] { self.repeated + self.then + self.otherwise }
}

extension [Node<Language.Action>] {
  /// These actions, and those inside them.
  var withInner: [Node<Language.Action>] { self + flatMap { $0.inner.withInner } }
}
