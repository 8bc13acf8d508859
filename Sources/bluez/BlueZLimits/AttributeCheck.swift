import Bluetooth
import DeviceModel

/// Finds the attributes that BlueZ serves itself.
struct AttributeCheck {
  private let definition: PeripheralDefinition
  private let version: @Sendable () -> BlueZVersion?

  init(_ definition: PeripheralDefinition, _ version: @escaping @Sendable () -> BlueZVersion?) {
    (self.definition, self.version) = (definition, version)
  }

  var findings: [Finding] {
    var found = definition.services.indices.flatMap { finding(ofService: $0) }
    found += definition.characteristics.indices.flatMap { findings(of: $0) } + otherSettings
    found += handles.map { note("BlueZ assigns handles itself", .handle(of: $0)) }
    for (index, each) in definition.services.enumerated() where !each.includes.isEmpty {
      found.append(note("BlueZ serves this service without its included services", .service(index)))
    }
    let characteristics = definition.characteristics.enumerated()
    for (index, each) in characteristics
    where each.properties.delivery != nil && each.unconditionalDelivery != nil {
      found.append(
        note(
          "BlueZ adds a 2902, and sends values only to the centrals that subscribe", .characteristic(index)))
    }
    for (index, each) in characteristics where each.both != .notify {
      found.append(
        note("BlueZ decides what a central gets that asks for both", .characteristic(index)))
    }
    for (index, each) in characteristics where each.cccd == .requestsOnly {
      found.append(note("BlueZ also takes Write Commands to the 2902", .characteristic(index)))
    }
    for (index, each) in characteristics {
      guard let descriptor = each.sendingDescriptor else { continue }
      found.append(
        note("BlueZ sends no values with the handle of a descriptor", .descriptor(descriptor, of: index)))
    }
    for (index, each) in characteristics where each.recipients == .asker {
      guard definition.link.centrals != 1, let version = version(), version < .addressesCentrals else {
        break
      }
      found.append(
        Finding(
          .note, "\(version) sends each value to all centrals that have subscribed",
          at: .characteristic(index),
          hint: "\(BlueZVersion.addressesCentrals) and --on exact send it to the asker alone"))
    }
    for (index, each) in characteristics where !each.permissions.isDisjoint(with: [.read, .write]) {
      found.append(note("BlueZ lets centrals do only what the properties say", .characteristic(index)))
    }
    return found
  }

  private static let exactServes = "--on exact serves this one"

  private func note(_ text: String, _ place: DefinitionPlace) -> Finding {
    Finding(.note, text, at: place, hint: Self.exactServes)
  }

  /// The attributes with handles of their own.
  private var handles: [DefinitionPlace] {
    definition.services.indices.filter { definition.services[$0].handle != nil }.map { .service($0) }
      + definition.services.indices.filter { definition.services[$0].endHandle != nil }.map {
        .serviceEnd($0)
      }
      + definition.characteristics.indices.flatMap { index -> [DefinitionPlace] in
        let model = definition.characteristics[index]
        let own: [DefinitionPlace] = model.handle == nil ? [] : [.characteristic(index)]
        return own
          + model.descriptors.indices.filter { model.descriptors[$0].handle != nil }.map {
            .descriptor($0, of: index)
          }
      }
  }

  private func finding(ofService index: Int) -> [Finding] {
    guard let uuid = definition.services[index].uuid.literal else { return [] }
    if OwnAttributes.services.contains(uuid) {
      return [
        Finding(
          .note, OwnAttributes.replacement(of: uuid), at: .service(index),
          hint: Self.exactServes)
      ]
    }
    guard uuid == OwnAttributes.deviceInformation else { return [] }
    return [
      Finding(
        .warning, "BlueZ serves its own Device Information (180A) before this one", at: .service(index),
        hint:
          "--on exact serves this one alone; for BlueZ, \(BlueZLimits.noDeviceID), \(BlueZLimits.costOfNoDeviceID)"
      )
    ]
  }

  /// A UUID from settings that, with some of their values, is one of BlueZ's. The first case is enough.
  private var otherSettings: [Finding] {
    for other in [ValueCase(context: definition.initialContext)] + definition.attributeCases {
      guard let table = try? definition.attributes(in: other.context) else { return [] }
      for service in table.services where OwnAttributes.services.contains(service.uuid) {
        guard definition.services[service.index].uuid.literal == nil else { continue }
        let message = other.circumstance + OwnAttributes.replacement(of: service.uuid)
        return [Finding(.warning, message, at: .service(service.index), hint: Self.exactServes)]
      }
    }
    return []
  }
}

extension AttributeCheck {
  private func findings(of index: Int) -> [Finding] {
    let characteristic = definition.characteristics[index]
    let prepared =
      characteristic.prepared == .joined
      ? []
      : [
        Finding(
          .warning,
          "BlueZ itself keeps the parts of a long value: 'prepared: \(characteristic.prepared.rawValue)' has no effect",
          at: .characteristic(index), hint: "--on exact applies it as written")
      ]
    return prepared
      + characteristic.descriptors.enumerated().compactMap { number, descriptor in
        finding(of: descriptor.uuid, of: characteristic.properties, at: .descriptor(number, of: index))
      }
  }

  /// BlueZ adds the descriptors that follow from a characteristic's properties (Vol 3 Part G 3.3.3.1 and 3.3.3.3).
  private func finding(
    of uuid: BluetoothUUID, of properties: CharacteristicProperties, at place: DefinitionPlace
  ) -> Finding? {
    let isExtended = !properties.isDisjoint(with: [.reliableWrite, .writableAuxiliaries])
    switch uuid {
    case OwnAttributes.clientConfiguration where !properties.isDisjoint(with: [.notify, .indicate]):
      return Finding(
        .error, "BlueZ adds the Client Characteristic Configuration (2902) itself", at: place,
        hint: "remove it: BlueZ adds it for 'notify' and 'indicate'")
    case OwnAttributes.extendedProperties where isExtended:
      return Finding(
        .error, "BlueZ adds the Characteristic Extended Properties (2900) itself", at: place,
        hint: "remove it: BlueZ adds it for 'reliable-write' and 'writable-auxiliaries'")
    case OwnAttributes.extendedProperties where !properties.contains(.extendedProperties):
      return Finding(
        .warning, "2900 describes extended properties, but this characteristic has none", at: place,
        hint: "BlueZ adds it for 'reliable-write' and 'writable-auxiliaries'")
    default: return nil
    }
  }
}
