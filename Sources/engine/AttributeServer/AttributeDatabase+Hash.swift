import Bluetooth
import Cryptography

// The Database Hash (Core Specification, Vol 3 Part G 7.3).
extension AttributeDatabase {
  /// The value of the Database Hash: a number of 128 bits, so its last byte comes first.
  package var hash: [UInt8] {
    AES(key: Array(repeating: 0, count: 16)).messageCode(of: hashedBytes).reversed()
  }

  /// The declarations with their values, and the descriptors without (7.3.1).
  private var hashedBytes: [UInt8] {
    attributes.flatMap { attribute -> [UInt8] in
      let head = attribute.handle.littleEndianBytes + attribute.type.attributeTypeBytes
      guard Self.declarations.contains(attribute.type) else {
        return Self.descriptors.contains(attribute.type) ? head : []
      }
      guard case .constant(let value) = attribute.content else {
        return head + (extendedProperties[attribute.handle] ?? [])
      }
      return head + value
    }
  }

  /// The services, includes and characteristics, and Characteristic Extended Properties.
  static let declarations: Set<BluetoothUUID> = [0x2800, 0x2801, 0x2802, 0x2803, 0x2900]
  /// Characteristic User Description, both configurations, and both formats.
  private static let descriptors: Set<BluetoothUUID> = [0x2901, 0x2902, 0x2903, 0x2904, 0x2905]
}
