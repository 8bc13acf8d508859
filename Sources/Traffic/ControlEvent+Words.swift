import Behavior
import DeviceModel
import Framing

extension ControlEvent {
  /// The line of a transcript for it, or a line like one: `set level=3`; nil for what has its own event, or is part of another.
  package func words(in definition: PeripheralDefinition) -> String? {
    switch self {
    case .set(let assignments):
      "set "
        + assignments.map { "\(definition.name(of: $0.slot))=\(PrintableText.word($0.value.description))" }
        .joined(separator: " ")
    case .operate(let control, let value):
      "press \(definition.controls[control].name)"
        + (value.map { "=\(PrintableText.word($0.description))" } ?? "")
    case .send, .answer, .store, .decide: nil
    case .advertise(let isOn): "advertise \(isOn ? "on" : "off")"
    case .disconnect(let central, _): "disconnect" + (central.map { " \($0)" } ?? "")
    case .reset: "reset"
    }
  }
}

extension PeripheralDefinition {
  fileprivate func name(of slot: Rule.Slot) -> String {
    switch slot {
    case .setting(let index): settings[index].name
    case .variable(let index): variables[index].name
    }
  }
}
