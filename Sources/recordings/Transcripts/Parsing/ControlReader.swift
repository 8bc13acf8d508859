import Behavior
import Definitions
import DeviceModel

/// Reads the requests of a person or a program for a device's settings, variables and controls, by their names.
///
/// The lines `set` and `press` of a transcript, the commands of the same names and the control socket use the same syntax
/// and get the same answers.
package struct ControlReader: Sendable {
  private let definition: PeripheralDefinition

  package init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  /// Reads `set NAME=VALUE`.
  ///
  /// - Parameter isBytes: whether the text is the hex digits of bytes, which only a value of that type takes.
  package func assignment(
    _ name: String, _ text: String, isBytes: Bool = false
  ) throws(ControlMistake) -> ControlEvent.Assignment {
    let (slot, owner) = try slot(name)
    return ControlEvent.Assignment(slot, try value(text, isBytes: isBytes, of: owner))
  }

  /// Finds the setting or variable of `set NAME`.
  func slot(_ name: String) throws(ControlMistake) -> (Rule.Slot, SettingDefinition) {
    guard let (slot, owner) = definition.slot(named: name) else {
      throw .unknownSlot(name, known: definition.settableNames)
    }
    if owner.isPerCentral { throw .ofEachCentral(name) }
    return (slot, owner)
  }

  /// Reads `press NAME`, or `press NAME=VALUE`.
  ///
  /// - Parameters:
  ///   - text: the value; nil: none is given, which presses a button or toggles a switch.
  ///   - isBytes: whether the text is the hex digits of bytes.
  package func operation(
    _ name: String, _ text: String? = nil, isBytes: Bool = false
  ) throws(ControlMistake) -> ControlEvent {
    let (index, control) = try control(name)
    guard let text else {
      let form = definition.form(of: control)
      guard form == .button || form == .switch else { throw .needsValue(name) }
      return .operate(control: index, nil)
    }
    guard case .bound(let slot) = control.kind else { throw .takesNoValue(name) }
    return .operate(control: index, try value(text, isBytes: isBytes, of: definition[slot]))
  }

  /// Finds the control of `press NAME`, by its index.
  func control(_ name: String) throws(ControlMistake) -> (Int, ControlDefinition) {
    if let found = definition.control(named: name) { return found }
    throw unknownControl(name)
  }

  private func value(
    _ text: String, isBytes: Bool, of owner: SettingDefinition
  ) throws(ControlMistake) -> Value {
    if isBytes, owner.kind.valueType != .bytes { throw .takesNoBytes(owner.name, owner.kind.valueType) }
    do { return try owner.kind.parse(text) } catch { throw .badValue(owner.name, error) }
  }

  private func unknownControl(_ name: String) -> ControlMistake {
    .unknownControl(
      name, known: definition.controls.map(\.name), isSettable: definition.settableNames.contains(name))
  }
}

extension PeripheralDefinition {
  /// The settings and variables that can be set from outside: those with one value for the whole device.
  package var settableSlots: [SettingDefinition] { (settings + variables).filter { !$0.isPerCentral } }

  fileprivate var settableNames: [String] { settableSlots.map(\.name) }
}
