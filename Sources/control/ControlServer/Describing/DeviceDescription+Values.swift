import DeviceModel
import BlemuJSON

/// Settings, variables, and what a person can operate.
extension DeviceDescription {
  static func slot(_ slot: SettingDefinition, _ value: Value) -> JSONValue {
    let head: JSONValue = [
      "name": .string(slot.name), "type": .string("\(slot.kind.valueType)"),
      "value": .string(value.description),
    ]
    return head.adding(limits(of: slot.kind))
  }

  /// With what it sets and the values that it takes.
  func control(_ control: ControlDefinition) -> JSONValue {
    let head: JSONValue = [
      "name": .string(control.name), "label": .string(control.label),
      "kind": .string(definition.form(of: control).rawValue),
    ]
    guard case .bound(let slot) = control.kind else { return head }
    let bound = definition[slot]
    return
      head
      .adding(["set": .string(bound.name), "type": .string("\(bound.kind.valueType)")])
      .adding(Self.limits(of: bound.kind))
  }

  /// In the texts that `set` takes; only those that the definition has.
  private static func limits(of kind: SettingDefinition.Kind) -> KeyValuePairs<String, JSONValue?> {
    switch kind {
    case .integer(let range): ["min": text(range.least), "max": text(range.greatest)]
    case .decimal(let range): ["min": text(range.least), "max": text(range.greatest)]
    case .text(let size), .bytes(let size): ["max": text(size)]
    case .oneOf(let values): ["one-of": .array(values.map { .string($0.description) })]
    case .boolean: [:]
    }
  }

  private static func text(_ limit: (some CustomStringConvertible)?) -> JSONValue? {
    limit.map { .string($0.description) }
  }
}
