/// The value of a characteristic declaration (Core Specification, Vol 3 Part G 3.3.1).
package struct CharacteristicDeclaration: Hashable, Sendable {
  package var properties: CharacteristicProperties
  package var valueHandle: AttributeHandle
  package var uuid: BluetoothUUID

  package init(properties: CharacteristicProperties, valueHandle: AttributeHandle, uuid: BluetoothUUID) {
    self.properties = properties
    self.valueHandle = valueHandle
    self.uuid = uuid
  }
}

extension CharacteristicDeclaration {
  /// Reads a byte of properties, the handle of the value, and a UUID of 2 or 16 bytes; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 3, let uuid = BluetoothUUID(attributeTypeBytes: bytes[3...]) else { return nil }
    self.init(
      properties: CharacteristicProperties(rawValue: UInt16(bytes[0])),
      valueHandle: UInt16(bytes[1], bytes[2]), uuid: uuid)
  }

  package var bytes: [UInt8] { bytes(uuid: uuid.attributeTypeBytes) }

  /// With the bytes of the UUID, of which there are 2 or 16.
  package func bytes(uuid: [UInt8]) -> [UInt8] {
    [properties.declarationByte] + valueHandle.littleEndianBytes + uuid
  }
}
