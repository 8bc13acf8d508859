/// Settings, variables and controls by their names.
extension PeripheralDefinition {
  /// The definition of a setting or a variable.
  package subscript(slot: Rule.Slot) -> SettingDefinition {
    switch slot {
    case .setting(let index): settings[index]
    case .variable(let index): variables[index]
    }
  }

  /// All settings, then all variables.
  package var slots: [Rule.Slot] {
    settings.indices.map(Rule.Slot.setting) + variables.indices.map(Rule.Slot.variable)
  }

  /// The setting or the variable with this name; no two have the same.
  package func slot(named name: String) -> (slot: Rule.Slot, definition: SettingDefinition)? {
    slots.lazy.map { (slot: $0, definition: self[$0]) }.first { $0.definition.name == name }
  }

  /// The control with this name, by its index in ``controls``.
  package func control(named name: String) -> (index: Int, definition: ControlDefinition)? {
    controls.firstIndex { $0.name == name }.map { ($0, controls[$0]) }
  }
}

extension EvaluationContext {
  /// The current value of a setting or a variable.
  package func value(of slot: Rule.Slot) -> Value {
    switch slot {
    case .setting(let index): settings[index]
    case .variable(let index): variables[index]
    }
  }
}
