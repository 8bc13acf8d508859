import Bluetooth

/// A characteristic of Generic Attribute (1801) whose value is the server's own, unless the definition has one (Core
/// Specification, Vol 3 Part G 7).
package enum GenericAttributeValue: CaseIterable, Sendable {
  case clientSupportedFeatures
  case databaseHash
  case serverSupportedFeatures

  package static let service: BluetoothUUID = 0x1801

  /// nil: it is another characteristic.
  package init?(_ uuid: BluetoothUUID) {
    guard let value = Self.allCases.first(where: { $0.uuid == uuid }) else { return nil }
    self = value
  }

  package var uuid: BluetoothUUID {
    switch self {
    case .clientSupportedFeatures: 0x2B29
    case .databaseHash: 0x2B2A
    case .serverSupportedFeatures: 0x2B3A
    }
  }

  /// The properties that the specification gives it.
  package var properties: CharacteristicProperties {
    self == .clientSupportedFeatures ? [.read, .write] : .read
  }
}

extension PeripheralDefinition {
  /// Whether a central can write Client Supported Features, which the server keeps, with at least some settings.
  package var takesClientFeatures: Bool {
    serverValues.contains { index in
      characteristics[index].canBeWritten
        && characteristics[index].uuid.literal == GenericAttributeValue.clientSupportedFeatures.uuid
    }
  }

  /// The characteristics, by index, whose values are the server's own with all settings.
  package var serverValues: Set<Int> {
    let indices = services.filter { $0.uuid.literal == GenericAttributeValue.service }.flatMap(
      \.characteristics)
    return Set(
      indices.filter { index in
        let model = characteristics[index]
        return model.value.isEmpty && model.uuid.literal.flatMap { GenericAttributeValue($0) } != nil
      })
  }
}
