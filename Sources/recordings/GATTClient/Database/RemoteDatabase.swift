import Bluetooth

/// The attributes of a peripheral that discovery has found, in the order of their handles.
package struct RemoteDatabase: Hashable, Sendable {
  package var services: [RemoteService]

  package init(services: [RemoteService]) {
    self.services = services
  }

  /// The characteristics of all services.
  package var characteristics: [RemoteCharacteristic] { services.flatMap(\.characteristics) }

  /// The first characteristic with that UUID.
  package func characteristic(_ uuid: BluetoothUUID) -> RemoteCharacteristic? {
    characteristics.first { $0.uuid == uuid }
  }
}

/// A primary service of a peripheral.
package struct RemoteService: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var handles: HandleRange
  package var characteristics: [RemoteCharacteristic] = []

  package init(
    uuid: BluetoothUUID, handles: HandleRange, characteristics: [RemoteCharacteristic] = []
  ) {
    self.uuid = uuid
    self.handles = handles
    self.characteristics = characteristics
  }
}

/// A characteristic of a peripheral.
package struct RemoteCharacteristic: Hashable, Sendable {
  package var uuid: BluetoothUUID
  /// Those of the declaration, without those of the Extended Properties descriptor.
  package var properties: CharacteristicProperties
  /// The handle of the declaration.
  package var declarationHandle: AttributeHandle
  /// The handle of the value.
  package var handle: AttributeHandle
  package var descriptors: [RemoteDescriptor] = []

  package init(
    uuid: BluetoothUUID, properties: CharacteristicProperties, declarationHandle: AttributeHandle,
    handle: AttributeHandle, descriptors: [RemoteDescriptor] = []
  ) {
    self.uuid = uuid
    self.properties = properties
    self.declarationHandle = declarationHandle
    self.handle = handle
    self.descriptors = descriptors
  }

  /// The CCCD, through which a central subscribes.
  package var configuration: RemoteDescriptor? { descriptors.first { $0.uuid == 0x2902 } }
}

/// A descriptor of a characteristic.
package struct RemoteDescriptor: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var handle: AttributeHandle

  package init(uuid: BluetoothUUID, handle: AttributeHandle) {
    self.uuid = uuid
    self.handle = handle
  }
}
