import Bluetooth
import DeviceModel
import Framing
import BlemuJSON

/// Describes a device for programs: as a definition has it, or as it is now. The names are stable;
/// Peripherals/guide/json.md lists them.
package struct DeviceDescription {
  let definition: PeripheralDefinition
  private let context: EvaluationContext
  private let limits: any TransportLimits
  private let packetLimits: any TransportLimits
  /// By what has them; empty where the transport does not tell.
  private let handles: [HandleOwner: AttributeHandle]

  /// - Parameters:
  ///   - context: has the values.
  ///   - table: the attributes that the device has with these.
  ///   - packetLimits: lay out the advertising packets; nil: the transport's own do.
  ///   - handles: nil: the transport does not tell of them.
  package init(
    _ definition: PeripheralDefinition, in context: EvaluationContext, with table: AttributeTable,
    on limits: any TransportLimits, packetLimits: (any TransportLimits)? = nil, handles: HandleLayout?
  ) {
    (self.definition, self.context, self.limits) = (definition, context, limits)
    self.packetLimits = packetLimits ?? limits
    self.handles = handles?(definition, table) ?? [:]
  }

  /// The members of the object.
  ///
  /// - Parameter advertisement: nil: it advertises nothing.
  /// - Throws: ``BaudError`` if the values give the wire side no valid speed.
  package func members(_ table: AttributeTable, _ advertisement: Advertisement?) throws -> [JSONValue.Member]
  {
    let packets = advertisement.flatMap(packetLimits.packets)
    let object = ([:] as JSONValue).adding([
      "advertising-data": packets.map { .string(Self.hex($0.advertisingFields)) },
      "scan-response": packets.map { .string(Self.hex($0.scanResponseFields)) },
      "services": .array(limits.served(table).services.map(service)),
      "wire": definition.hasWireSide ? .boolean(true) : nil,
      "baud": try definition.wire.baud(in: context).map(JSONValue.integer),
      "settings": .array(zip(definition.settings, context.settings).map(Self.slot)),
      "variables": .array(zip(definition.variables, context.variables).map(Self.slot)),
      "controls": .array(definition.controls.map(control)),
      "states": Self.strings(definition.states),
      "messages": .array(definition.namedMessages.map(Self.message)),
      "rules": .array(definition.rules.map(Self.rule)),
      "faults": definition.faults.isEmpty ? nil : Self.strings(definition.faults.map(\.description)),
    ])
    return object.members ?? []
  }

  private static func hex(_ fields: [AdvertisingField]) -> String {
    HexText.format(fields.flatMap(\.bytes))
  }

  private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}

// MARK: Attributes

extension DeviceDescription {
  private func service(_ service: AttributeTable.Service) -> JSONValue {
    [
      "uuid": .string(service.uuid.description), "id": .string(definition.services[service.index].id),
      "primary": .boolean(definition.services[service.index].isPrimary),
      "characteristics": .array(service.characteristics.map(characteristic)),
    ]
  }

  private func characteristic(_ attribute: AttributeTable.Characteristic) -> JSONValue {
    let characteristic = definition.characteristics[attribute.index]
    let names: JSONValue = [
      "uuid": .string(attribute.uuid.description), "id": .string(characteristic.id),
      "properties": Self.strings(characteristic.properties.names),
      "permissions": Self.strings(characteristic.permissions.names),
      "descriptors": Self.strings(characteristic.descriptors.map(\.uuid.description)),
    ]
    let handle = handles[.attribute(.characteristic(attribute.index))]
    return names.adding(["handle": handle.map { .integer(Int($0)) }])
  }
}

// MARK: Behaviour

extension DeviceDescription {
  private static func message(_ message: MessageTemplate) -> JSONValue {
    [
      "name": .string(message.name), "template": .string(message.source),
      "fields": strings(message.fields.map(\.name)),
      "types": .object(message.fields.map { .init(name: $0.name, value: .string($0.valueType.name)) }),
    ]
  }

  private static func rule(_ rule: Rule) -> JSONValue {
    let place: JSONValue = ["line": .integer(rule.line), "on": .string(rule.source.event)]
    return place.adding([
      "file": rule.file.map(JSONValue.string), "if": rule.source.condition.map(JSONValue.string),
      "do": strings(rule.source.actions),
    ])
  }
}
