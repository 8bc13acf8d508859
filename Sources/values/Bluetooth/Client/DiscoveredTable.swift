/// The attributes of a server that discovery has found, in the order of their handles.
package struct DiscoveredTable: Hashable, Sendable {
  package var services: [DiscoveredService]

  package init(services: [DiscoveredService]) {
    self.services = services
  }

  /// The characteristics of all services.
  package var characteristics: [DiscoveredCharacteristic] { services.flatMap(\.characteristics) }
}

/// A fault of an attribute table.
package enum TableFault: Hashable, Sendable {
  /// Handles that do not ascend or are outside the requested range.
  case handleOutOfPlace
  /// A service or characteristic declaration that cannot be read.
  case unreadableDeclaration
}

/// A service of a server.
package struct DiscoveredService: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var handles: HandleRange
  package var isPrimary = true
  /// The handles of the services that it includes, as far as they were sought.
  package var includes: [AttributeHandle] = []
  package var characteristics: [DiscoveredCharacteristic] = []

  package init(
    uuid: BluetoothUUID, handles: HandleRange, isPrimary: Bool = true,
    characteristics: [DiscoveredCharacteristic] = []
  ) {
    self.uuid = uuid
    self.handles = handles
    self.isPrimary = isPrimary
    self.characteristics = characteristics
  }

  /// Adds declared characteristics, in order, without their descriptors. One whose value has no place in the service is left out.
  package mutating func add(declarations: [DiscoveredAttribute]) {
    for row in declarations {
      guard let found = row.characteristic, row.handle < found.valueHandle, found.valueHandle <= handles.last
      else { continue }
      characteristics.append(
        DiscoveredCharacteristic(
          uuid: found.uuid, properties: found.properties, declarationHandle: row.handle,
          handle: found.valueHandle))
    }
  }

  /// The last handle that a descriptor of a characteristic can have.
  package func lastHandle(of number: Int) -> AttributeHandle {
    number + 1 < characteristics.count ? characteristics[number + 1].declarationHandle - 1 : handles.last
  }
}

/// A characteristic of a server.
package struct DiscoveredCharacteristic: Hashable, Sendable {
  package var uuid: BluetoothUUID
  /// Those of the declaration, without those of the Extended Properties descriptor.
  package var properties: CharacteristicProperties
  /// The handle of the declaration.
  package var declarationHandle: AttributeHandle
  /// The handle of the value.
  package var handle: AttributeHandle
  package var descriptors: [AttributeInformation] = []

  package init(
    uuid: BluetoothUUID, properties: CharacteristicProperties, declarationHandle: AttributeHandle,
    handle: AttributeHandle, descriptors: [AttributeInformation] = []
  ) {
    self.uuid = uuid
    self.properties = properties
    self.declarationHandle = declarationHandle
    self.handle = handle
    self.descriptors = descriptors
  }

  /// The handle of the CCCD, through which a central subscribes.
  package var configuration: AttributeHandle? { descriptors.first { $0.type == 0x2902 }?.handle }
}
