extension ControlDefinition {
  /// The form of a control, which determines the values it takes.
  package enum Form: String, CaseIterable, Sendable {
    /// It is pressed.
    case button
    /// It is true or false.
    case `switch`
    /// A number between two limits.
    case slider
    /// One of several values.
    case choice
    /// Any other value; a person types it.
    case field
  }
}

extension PeripheralDefinition {
  /// The form of a control, determined by the type and the limits of its setting or variable.
  package func form(of control: ControlDefinition) -> ControlDefinition.Form {
    switch control.kind {
    case .button: .button
    case .bound(let slot): self[slot].kind.form
    }
  }
}

extension SettingDefinition.Kind {
  /// The form of a control for such a value.
  fileprivate var form: ControlDefinition.Form {
    switch self {
    case .boolean: .switch
    case .oneOf: .choice
    case .integer(let range): range.least != nil && range.greatest != nil ? .slider : .field
    case .decimal(let range): range.least != nil && range.greatest != nil ? .slider : .field
    case .text, .bytes: .field
    }
  }
}

extension ClosedRange<Int64> {
  /// The least number, if the definition has one.
  package var least: Int64? { lowerBound > .min ? lowerBound : nil }
  /// The greatest number, if the definition has one.
  package var greatest: Int64? { upperBound < .max ? upperBound : nil }
}

extension ClosedRange<Double> {
  /// The least number, if the definition has one.
  package var least: Double? { lowerBound > -.greatestFiniteMagnitude ? lowerBound : nil }
  /// The greatest number, if the definition has one.
  package var greatest: Double? { upperBound < .greatestFiniteMagnitude ? upperBound : nil }
}
