import AttributeServer
import Bluetooth
import DeviceModel
import Exact
import Framing
import JSON

/// Describes a device for programs. The names are stable; README lists them.
struct DefinitionJSON {
  let value: JSONValue

  /// - Throws: as ``DefinitionSheet/init(_:_:)``.
  init(_ choice: DefinitionChoice, _ limits: any TransportLimits) throws {
    let definition = choice.definition
    let context = definition.context(settings: choice.settings, address: DeviceAddress([0, 0, 0, 0, 0, 0])!)
    let advertisement = try definition.advertised(in: context)
    let table = try definition.attributes(in: context)
    if let problem = limits.problem(with: table, of: definition) {
      throw CommandError.badSettings(problem: problem)
    }
    let handles = Self.handles(definition, table, advertisement, limits)
    let head: JSONValue = [
      "name": .string(definition.name), "summary": .string(definition.summary), "file": .string(choice.path),
    ]
    value =
      head
      .adding(Self.packets(of: advertisement, limits))
      .adding([
        "services": .array(limits.served(table).services.map { Self.service($0, definition, handles) }),
        "baud": try definition.wire.baud(in: context).map(JSONValue.integer),
        "settings": .array(zip(definition.settings, choice.settings).map(Self.slot)),
        "variables": .array(definition.variables.map { Self.slot($0, $0.initial) }),
        "states": .array(definition.states.map(JSONValue.string)),
        "messages": .array(definition.namedMessages.map(Self.message)),
        "rules": .array(definition.rules.map(Self.rule)),
        "faults": definition.faults.isEmpty ? nil : Self.strings(definition.faults.map(\.description)),
      ])
  }

  /// The data in hex; nothing where the transport does not send packets.
  private static func packets(
    of advertisement: Advertisement, _ limits: any TransportLimits
  ) -> KeyValuePairs<String, JSONValue?> {
    let packets = limits.packets(of: advertisement)
    return [
      "advertising-data": packets.map { .string(hex($0.advertisingFields)) },
      "scan-response": packets.map { .string(hex($0.scanResponseFields)) },
    ]
  }

  private static func hex(_ fields: [AdvertisingField]) -> String {
    HexText.format(fields.flatMap(\.structure.bytes))
  }

  private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}

// MARK: Attributes

extension DefinitionJSON {
  /// The handle of each characteristic's value, by its index in the definition, where blemu itself serves the attributes.
  private static func handles(
    _ definition: PeripheralDefinition, _ table: AttributeTable, _ advertisement: Advertisement,
    _ limits: any TransportLimits
  ) -> [Int: UInt16] {
    guard limits is ExactLimits, !definition.services.isEmpty || advertisement.isConnectable else {
      return [:]
    }
    let database = AttributeDatabase(
      definition, table, name: advertisement.localName ?? definition.name,
      appearance: advertisement.appearance ?? 0)
    var handles: [Int: UInt16] = [:]
    for attribute in database.attributes {
      if case .value(.characteristic(let index)) = attribute.content { handles[index] = attribute.handle }
    }
    return handles
  }

  private static func service(
    _ service: AttributeTable.Service, _ definition: PeripheralDefinition, _ handles: [Int: UInt16]
  ) -> JSONValue {
    [
      "uuid": .string(service.uuid.description), "id": .string(definition.services[service.index].id),
      "primary": .boolean(definition.services[service.index].isPrimary),
      "characteristics": .array(service.characteristics.map { characteristic($0, definition, handles) }),
    ]
  }

  private static func characteristic(
    _ attribute: AttributeTable.Characteristic, _ definition: PeripheralDefinition, _ handles: [Int: UInt16]
  ) -> JSONValue {
    let characteristic = definition.characteristics[attribute.index]
    let names: JSONValue = [
      "uuid": .string(attribute.uuid.description), "id": .string(characteristic.id),
      "properties": strings(characteristic.properties.names),
      "permissions": strings(characteristic.permissions.names),
      "descriptors": strings(characteristic.descriptors.map(\.uuid.description)),
    ]
    return names.adding(["handle": handles[attribute.index].map { .integer(Int($0)) }])
  }
}

// MARK: Behaviour

extension DefinitionJSON {
  private static func slot(_ slot: SettingDefinition, _ value: Value) -> JSONValue {
    let head: JSONValue = [
      "name": .string(slot.name), "type": .string("\(slot.kind.valueType)"),
      "value": .string(value.description),
    ]
    guard case .oneOf(let values) = slot.kind else { return head }
    return head.adding(["one-of": strings(values.map(\.description))])
  }

  private static func message(_ message: MessageTemplate) -> JSONValue {
    [
      "name": .string(message.name), "template": .string(message.source),
      "fields": strings(message.fields.map(\.name)),
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
