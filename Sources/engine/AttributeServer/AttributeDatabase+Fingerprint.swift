import Bluetooth

extension AttributeDatabase {
  /// Eight bytes that differ where a central would discover other attributes: FNV-1a over the handles and types of all
  /// attributes, and the values of those that a Database Hash has (Vol 3 Part G 7.3.1). It is the same everywhere and always.
  package var fingerprint: [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func take(_ bytes: [UInt8]) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    for attribute in attributes {
      let type = attribute.type.attributeTypeBytes
      take(attribute.handle.littleEndianBytes + [UInt8(type.count)] + type)
      guard Self.declarations.contains(attribute.type), case .constant(let value) = attribute.content else {
        continue
      }
      take([UInt8(truncatingIfNeeded: value.count)] + value)
    }
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }
  }

  /// The value of Service Changed (Vol 3 Part G 7.1), and what a central configures for it; nil: the device has none.
  var serviceChanged: (handle: AttributeHandle, configuration: SubscribedValue)? {
    guard let service = attributes.first(where: { $0.content == .constant(Self.genericAttribute) }) else {
      return nil
    }
    guard
      let value = attributes(in: HandleRange(service.handle, service.groupEnd)).first(where: {
        $0.type == 0x2A05
      })
    else { return nil }
    if case .value(.characteristic(let index)) = value.content {
      return (value.handle, .characteristic(index))
    }
    return (value.handle, .serviceChanged)
  }

  private static let genericAttribute = BluetoothUUID(0x1801).attributeTypeBytes
}
