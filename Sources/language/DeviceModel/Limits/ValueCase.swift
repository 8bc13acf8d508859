/// Values of settings and variables that may make a device behave differently than the initial ones do.
package struct ValueCase {
  package var context: EvaluationContext
  /// The changed values, in the form of `--set`.
  package fileprivate(set) var values = ""

  package init(context: EvaluationContext) {
    self.context = context
  }

  /// The beginning of a message about this case: `with n=1: `; empty for the initial values.
  package var circumstance: String { values.isEmpty ? "" : "with \(values): " }
}

extension PeripheralDefinition {
  /// The most cases to try.
  private static let mostCases = 256

  /// All combinations of the values that conditions of the advertisement use, and each value that its numbers
  /// use, for settings and variables with few values.
  package var advertisingCases: [ValueCase] {
    let sets = [advertisement] + advertisement.furtherSets
    return cases(of: sets.flatMap(\.conditions)) + singleCases(of: sets.flatMap(\.numbers))
  }

  /// Of the attributes. Of a number with many values, the least and the greatest are tried.
  package var attributeCases: [ValueCase] {
    let conditions = services.map(\.presence) + characteristics.map(\.presence)
    let uuids = services.map(\.uuid) + characteristics.map(\.uuid)
    return cases(of: conditions.compactMap { $0?.condition })
      + singleCases(of: uuids.flatMap(\.expressions)) { $0.fewValues ?? $0.extremes }
  }

  /// All combinations of the values that expressions use, except the initial one.
  package func cases(of expressions: [Expression]) -> [ValueCase] {
    var cases = [ValueCase(context: initialContext)]
    for slot in Self.distinct(expressions.flatMap(\.slots)) {
      let others = values(of: slot)
      guard cases.count * (others.count + 1) <= Self.mostCases else { continue }
      cases += cases.flatMap { base in others.map { base.setting(self[slot].name, slot, to: $0) } }
    }
    return Array(cases.dropFirst())
  }

  /// Each value that expressions use, with all others at their initial values.
  private func singleCases(
    of expressions: [Expression], trying values: (SettingDefinition.Kind) -> [Value] = { $0.fewValues ?? [] }
  ) -> [ValueCase] {
    let start = ValueCase(context: initialContext)
    return Self.distinct(expressions.flatMap(\.slots)).flatMap { slot in
      values(self[slot].kind).filter { $0 != self[slot].initial }.map {
        start.setting(self[slot].name, slot, to: $0)
      }
    }
  }

  private static func distinct(_ slots: [Rule.Slot]) -> [Rule.Slot] {
    slots.reduce(into: []) { seen, slot in if !seen.contains(slot) { seen.append(slot) } }
  }

  /// The other values that it may have; empty if they are many.
  private func values(of slot: Rule.Slot) -> [Value] {
    let definition = self[slot]
    return (definition.kind.fewValues ?? []).filter { $0 != definition.initial }
  }
}

extension ValueCase {
  fileprivate func setting(_ name: String, _ slot: Rule.Slot, to value: Value) -> ValueCase {
    var other = self
    switch slot {
    case .setting(let index): other.context.settings[index] = value
    case .variable(let index): other.context.variables[index] = value
    }
    other.values += (values.isEmpty ? "" : " ") + "\(name)=\(value)"
    return other
  }
}

extension SettingDefinition.Kind {
  /// All possible values; nil if they are many.
  fileprivate var fewValues: [Value]? {
    switch self {
    case .boolean: return [.boolean(false), .boolean(true)]
    case .oneOf(let values): return values
    case .integer(let range):
      let (count, isHuge) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      return isHuge || count >= 16 ? nil : range.map { .integer($0) }
    case .text, .decimal, .bytes: return nil
    }
  }
}

extension SettingDefinition.Kind {
  fileprivate var extremes: [Value] {
    if case .integer(let range) = self {
      [.integer(range.lowerBound), .integer(range.upperBound)]
    } else {
      []
    }
  }
}
