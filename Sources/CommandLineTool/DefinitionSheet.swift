import Bluetooth
import Definitions

/// A definition as a central will see it, on one page.
struct DefinitionSheet {
  let text: String

  /// - Throws: when the advertisement has no bytes with these settings.
  init(_ choice: DefinitionChoice) throws {
    let definition = choice.definition
    let layout = try Self.layout(choice, addressByte: 0)
    let usesAddress = try Self.layout(choice, addressByte: 0xFF) != layout
    var sections = [Self.head(choice), Self.advertising(layout, usesAddress), Self.attributes(definition)]
    if !definition.settings.isEmpty { sections.append(Self.settings(choice)) }
    if !definition.namedMessages.isEmpty { sections.append(Self.messages(definition)) }
    if !definition.rules.isEmpty { sections.append(Self.rules(definition)) }
    if let bridge = definition.wire.bridge {
      sections.append("serial side\n  carries the bytes of \(definition.characteristics[bridge].id)\n")
    }
    text = sections.joined(separator: "\n")
  }

  private static func layout(_ choice: DefinitionChoice, addressByte: UInt8) throws -> AdvertisingLayout {
    let address = DeviceAddress(Array(repeating: addressByte, count: 6))!
    let context = choice.definition.context(settings: choice.settings, address: address)
    return AdvertisingLayout(try choice.definition.advertisement.resolved(in: context))
  }

  private static func head(_ choice: DefinitionChoice) -> String {
    let summary = choice.definition.summary
    return "\(choice.definition.name) (\(choice.path))\n" + (summary.isEmpty ? "" : summary + "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(2, width - text.count))
  }
}

// MARK: Advertising

extension DefinitionSheet {
  private static func advertising(_ layout: AdvertisingLayout, _ usesAddress: Bool) -> String {
    var text = packet("advertising data", layout.advertisingFields)
    text += packet("scan response", layout.scanResponseFields)
    for field in layout.omittedFields {
      text += "  not sent, for want of room: \(field.content.rawValue) (\(field.size) bytes)\n"
    }
    if usesAddress { text += "  the adapter's address is shown as 00 00 00 00 00 00\n" }
    for problem in layout.problems { text += "  \(problem)\n" }
    return text
  }

  private static func packet(_ name: String, _ fields: [AdvertisingField]) -> String {
    let size = fields.reduce(0) { $0 + $1.size }
    let head = "\(name), \(size) of \(AdvertisingData.legacyCapacity) bytes\n"
    return head + PacketDrawing(fields).lines.map { "  \($0)\n" }.joined()
  }
}

// MARK: Attributes

extension DefinitionSheet {
  private static func attributes(_ definition: PeripheralDefinition) -> String {
    var text = "attributes\n"
    for service in definition.services {
      text += "  \(service.isPrimary ? "service" : "secondary service") \(named(service.uuid))\n"
      for index in service.characteristics { text += characteristic(definition.characteristics[index]) }
    }
    if let mtu = definition.link.mtu { text += "  sends at most \(mtu - 3) bytes at once (MTU \(mtu))\n" }
    return text
  }

  private static func characteristic(_ characteristic: CharacteristicDefinition) -> String {
    let rights = characteristic.properties.names + characteristic.permissions.names
    let isNamed = characteristic.id != characteristic.uuid.description
    var text = "    " + padded(named(characteristic.uuid) + (isNamed ? " '\(characteristic.id)'" : ""), 24)
    text += rights.joined(separator: ", ") + "\n"
    if characteristic.canNotify {
      text += "      2902 (Client Characteristic Configuration), made by BlueZ\n"
    }
    for descriptor in characteristic.descriptors {
      let rights = (descriptor.canRead ? ["read"] : []) + (descriptor.canWrite ? ["write"] : [])
      text += "      " + padded(named(descriptor.uuid), 22)
      text += (rights + descriptor.permissions.names).joined(separator: ", ") + "\n"
    }
    return text
  }

  private static func named(_ uuid: BluetoothUUID) -> String {
    uuid.name.map { "\(uuid) (\($0))" } ?? uuid.description
  }
}

// MARK: Settings and behaviour

extension DefinitionSheet {
  private static func settings(_ choice: DefinitionChoice) -> String {
    var text = "settings\n"
    for (setting, value) in zip(choice.definition.settings, choice.settings) {
      text += "  " + padded(setting.name, 22) + "\(value)\n"
    }
    return text
  }

  private static func messages(_ definition: PeripheralDefinition) -> String {
    var text = "messages\n"
    for message in definition.namedMessages {
      text += "  " + padded(message.name, 22) + message.source + "\n"
    }
    return text
  }

  private static func rules(_ definition: PeripheralDefinition) -> String {
    var text = "rules, by line; the first that fits an event fires\n"
    for rule in definition.rules {
      let condition = rule.source.condition.map { " if \($0)" } ?? ""
      text += "  " + padded(String(rule.line), 6) + "on \(rule.source.event)\(condition)\n"
      for action in rule.source.actions { text += "          \(action)\n" }
    }
    return text
  }
}
