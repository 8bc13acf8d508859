import Definitions
import DeviceModel

/// Why a device's settings, variables or controls do not accept a request.
package enum ControlMistake: Error, Hashable {
  case unknownSlot(String, known: [String])
  /// Each central has its own value of the variable.
  case ofEachCentral(String)
  /// Of the setting or variable with this name.
  case badValue(String, SettingError)
  /// Bytes are given for a value of another type.
  case takesNoBytes(String, ValueType)
  /// - Parameter isSettable: whether a setting or a variable has this name.
  case unknownControl(String, known: [String], isSettable: Bool)
  /// A value is given for a button.
  case takesNoValue(String)
  /// A control that is neither a button nor a switch has no value.
  case needsValue(String)
}

extension ControlMistake {
  /// Whether the value is wrong; otherwise the name is, or the value is missing.
  package var isOfValue: Bool {
    switch self {
    case .badValue, .takesNoBytes, .takesNoValue: true
    case .unknownSlot, .ofEachCentral, .unknownControl, .needsValue: false
    }
  }

  package var mistake: Mistake {
    switch self {
    case .unknownSlot(let name, let known):
      Mistake(
        "the definition has no setting or variable '\(name)'",
        known.isEmpty ? "it has none" : Suggestion.hint(for: name, in: known))
    case .ofEachCentral(let name):
      Mistake("each central has its own '\(name)', so it cannot be set from outside")
    case .badValue(_, let error): Mistake(error.message, error.hint)
    case .takesNoBytes(let name, let type): Mistake("'\(name)' has the type \(type), which takes no bytes")
    case .unknownControl(let name, _, isSettable: true):
      Mistake("the definition has no control '\(name)'", "it can be set: set \(name)=VALUE")
    case .unknownControl(let name, let known, isSettable: false):
      Mistake(
        "the definition has no control '\(name)'",
        known.isEmpty ? "it has no controls" : Suggestion.hint(for: name, in: known))
    case .takesNoValue(let name):
      Mistake("'\(name)' is a button, which takes no value", "as in press \(name)")
    case .needsValue(let name): Mistake("'\(name)' needs a value", "as in press \(name)=VALUE")
    }
  }
}
