/// Something at the device that a person can operate: a button, a switch, a slider.
package struct ControlDefinition: Hashable, Sendable {
  /// Its effect.
  package enum Kind: Hashable, Sendable {
    /// It is a button; rules react to it.
    case button
    /// It sets this setting or variable, whose type and limits determine its form: true or false is a switch, a
    /// number with limits a slider, one of several values a choice.
    case bound(Rule.Slot)
  }

  package var name: String
  /// For people; by default the name.
  package var label: String
  package var kind: Kind

  package init(name: String, label: String, kind: Kind) {
    (self.name, self.label, self.kind) = (name, label, kind)
  }
}
