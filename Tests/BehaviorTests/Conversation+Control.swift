import Bluetooth
import DeviceModel

@testable import Behavior

/// What a person does at the device.
extension Conversation {
  /// The event of a line; nil: the line says something else.
  func controlEvent(_ line: String) -> ControlEvent? {
    let words = line.split(separator: " ").map(String.init)
    switch words.first {
    case "press": return press(words[1])
    case "set": return .set(words.dropFirst().map(assignment))
    case "send": return send(words.dropFirst())
    case "advertise": return .advertise(words[1] == "true")
    case "disconnect": return .disconnect(nil, .remoteUserTerminated)
    case "forget": return .forget(nil)
    case "reset": return .reset
    default: return nil
    }
  }

  private func press(_ word: String) -> ControlEvent {
    let parts = word.split(separator: "=").map(String.init)
    let (index, control) = definition.control(named: parts[0])!
    guard parts.count > 1, case .bound(let slot) = control.kind else { return .operate(control: index, nil) }
    return .operate(control: index, value(parts[1], of: slot))
  }

  private func assignment(_ word: String) -> ControlEvent.Assignment {
    let parts = word.split(separator: "=").map(String.init)
    let slot = definition.slot(named: parts[0])!.slot
    return ControlEvent.Assignment(slot, value(parts[1], of: slot))
  }

  private func value(_ text: String, of slot: Rule.Slot) -> Value {
    Value(reading: text, as: definition[slot].kind.valueType)!
  }

  private func send(_ words: ArraySlice<String>) -> ControlEvent {
    let (place, rest) = (words.first!, words.dropFirst())
    let recipient = rest.firstIndex(of: "to").map { Self.centrals[Int(rest[$0 + 1])! - 1] }
    return .send(
      bytes(rest.prefix { $0 != "to" }), from: place == "wire" ? .wire : .characteristic(index(place)),
      message: nil, to: recipient)
  }
}
