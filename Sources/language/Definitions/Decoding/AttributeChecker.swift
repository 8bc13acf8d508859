import Bluetooth
import DeviceModel

/// Finds duplicate attributes, and settings that have no table of attributes.
struct AttributeChecker {
  let services: [Node<Language.Service>]
  let places: DefinitionPlaces
  let log: DiagnosticLog

  func check(_ device: PeripheralDefinition) {
    for (uuid, place) in doubles(services.map { ($0.condition, $0.uuid) }) { warn(of: uuid, at: place) }
    for service in services {
      for (uuid, place) in doubles(service.characteristics.map { ($0.condition, $0.uuid) })
      where uuid != HIDReports.uuid || !hasReferences(service) {
        warn(of: uuid, at: place)
      }
      for characteristic in service.characteristics {
        checkDescriptors(of: characteristic)
        checkGenericAttribute(characteristic, in: service)
      }
    }
    checkTable(of: device)
  }

  /// The UUIDs that an earlier element of the list also has, where both elements exist with all settings.
  private func doubles(
    _ nodes: [(condition: Scalar?, uuid: Scalar?)]
  ) -> [(uuid: BluetoothUUID, place: SourceRange)] {
    var seen: [BluetoothUUID] = []
    return nodes.compactMap { node in
      guard node.condition == nil, let scalar = node.uuid, let uuid = BluetoothUUID(scalar.text) else {
        return nil
      }
      if seen.contains(uuid) { return (uuid, scalar.range) }
      seen.append(uuid)
      return nil
    }
  }

  private func hasReferences(_ service: Node<Language.Service>) -> Bool {
    HIDReports.areReferenced(
      in: service.characteristics.map { characteristic in
        (uuid(characteristic.uuid), characteristic.descriptors.map { uuid($0.uuid) })
      })
  }

  private func uuid(_ scalar: Scalar?) -> BluetoothUUID? {
    scalar.flatMap { BluetoothUUID($0.text) }
  }

  /// A warning, because the author may intend it, as with two batteries. A taken name has been reported already.
  private func warn(of uuid: BluetoothUUID, _ circumstance: String = "", at place: SourceRange) {
    guard !log.hasError(at: place) else { return }
    log.warn(.secondAttribute(uuid, circumstance: circumstance), at: place)
  }

  private func checkDescriptors(of characteristic: Node<Language.Characteristic>) {
    for (uuid, place) in doubles(characteristic.descriptors.map { (nil, $0.uuid) }) {
      if [0x2900, 0x2902].contains(uuid) {
        log.error(.secondOfServer(uuid), at: place)
      } else {
        log.warn(.secondDescriptor(uuid), at: place)
      }
    }
  }

  /// A device may differ from the specification (Vol 3 Part G 7), so these are warnings.
  private func checkGenericAttribute(
    _ characteristic: Node<Language.Characteristic>, in service: Node<Language.Service>
  ) {
    guard let place = characteristic.uuid?.range,
      let value = uuid(characteristic.uuid).flatMap({ GenericAttributeValue($0) })
    else { return }
    if let other = uuid(service.uuid), other != GenericAttributeValue.service {
      return log.warn(.outsideGenericAttribute(value), at: place)
    }
    if let properties = CharacteristicProperties(characteristic.properties), properties != value.properties {
      log.warn(.otherProperties(value), at: place)
    }
    if value == .clientSupportedFeatures, let own = characteristic.value ?? characteristic.text {
      log.warn(.sharedFeatures, at: own.range)
    }
  }

  /// Whether there is a table, first with the initial settings and then with other values that affect it.
  private func checkTable(of device: PeripheralDefinition) {
    guard !log.hasErrors, !device.services.isEmpty else { return }
    var doubled = DoubledAttributes(device)
    for other in [ValueCase(context: device.initialContext)] + device.attributeCases {
      do {
        for (place, uuid) in doubled.found(in: try device.attributes(in: other.context)) {
          warn(of: uuid, other.circumstance, at: places[place])
        }
      } catch {
        return report(error, other.circumstance)
      }
    }
  }

  /// It stops at the first case without a table.
  private func report(_ error: any Error, _ circumstance: String) {
    guard let error = error as? AttributeTableError else { return }
    log.error(.noTable(error.reason, circumstance: circumstance), at: places[error.place])
  }
}
