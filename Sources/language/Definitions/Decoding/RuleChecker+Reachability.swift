import DeviceModel

/// Rules that can never fire.
extension RuleChecker {
  /// Reports each rule whose events earlier rules handle completely. A rule of a definition that extends this one does so on
  /// purpose.
  func checkReachability() {
    let files = rules.map(\.rule.range.source)
    for (number, takers) in device.unreachableRules(where: { files[$0] == files[$1] }) {
      report(rules[number], takenBy: takers.map { rules[$0].rule })
    }
  }

  private func report(_ entry: RuleEntry, takenBy earlier: [Node<Language.Rule>]) {
    let place = entry.rule.event?.place ?? entry.rule.place
    let lines = earlier.map(\.range.start.line)
    if entry.isOfControl { return log.error(.neverDone(taker: lines[0]), at: place) }
    let assembler = earlier.first { rule in
      let assembled = rule.actions.withInner.filter { $0.receive != nil }
      return assembled.contains { action in
        action.from.map { from in device.layers.allSatisfy { $0.name != from.text } } ?? true
      }
    }
    log.error(.unreachable(takers: lines, assembler: assembler?.range.start.line), at: place)
  }
}
