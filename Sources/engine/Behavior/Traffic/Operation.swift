import Bluetooth
import DeviceModel
import Framing

/// Something that a person or a program has done to a device, other than to send a value (``SentValue``).
package enum Operation: Hashable, Sendable {
  /// A new value for the setting or variable of this name.
  package struct Assignment: Hashable, Sendable {
    package var name: String
    package var value: Value

    package init(_ assignment: ControlEvent.Assignment, in definition: PeripheralDefinition) {
      (name, value) = (definition.name(of: assignment.slot), assignment.value)
    }
  }

  case set([Assignment])
  /// Operated a control. The value is nil for a button, and for a switch that changes to its other side.
  case press(String, Value?)
  case advertise(Bool)
  /// Ended the connection of a central; nil: of all.
  case disconnect(Central?)
  /// Forgot the bond with a central; nil: all bonds.
  case forget(Central?)
  case reset
  /// Advanced the clock of a device in memory.
  case advance(Duration)
}

extension Operation {
  /// nil for an event that is traffic of another kind.
  package init?(_ event: ControlEvent, in definition: PeripheralDefinition) {
    switch event {
    case .set(let assignments):
      self = .set(assignments.map { Assignment($0, in: definition) })
    case .operate(let control, let value): self = .press(definition.controls[control].name, value)
    case .advertise(let isOn): self = .advertise(isOn)
    case .disconnect(let central, _): self = .disconnect(central)
    case .forget(let central): self = .forget(central)
    case .reset: self = .reset
    case .send: return nil
    }
  }

  /// The line of a transcript, or a line like one: `set level=3`.
  package var words: String {
    switch self {
    case .set(let assignments):
      "set " + assignments.map { "\($0.name)\(Self.value($0.value))" }.joined(separator: " ")
    case .press(let control, let value): "press \(control)" + (value.map(Self.value) ?? "")
    case .advertise(let isOn): "advertise \(isOn ? "on" : "off")"
    case .disconnect(let central): "disconnect" + (central.map { " \($0)" } ?? "")
    case .forget(let central): "forget" + (central.map { " \($0)" } ?? "")
    case .reset: "reset"
    case .advance(let time): "advance \(time.written)"
    }
  }

  private static func value(_ value: Value) -> String { "=\(PrintableText.word(value.description))" }
}

extension PeripheralDefinition {
  fileprivate func name(of slot: Rule.Slot) -> String {
    switch slot {
    case .setting(let index): settings[index].name
    case .variable(let index): variables[index].name
    }
  }
}
