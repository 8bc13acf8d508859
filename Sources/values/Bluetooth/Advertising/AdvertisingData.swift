/// The content of one advertising packet or scan response: a sequence of AD structures.
package struct AdvertisingData: Hashable, Sendable {
  package var structures: [ADStructure]

  /// The bytes after the last well-formed structure: padding or garbage.
  package var remainder: [UInt8]

  package init(_ structures: [ADStructure] = [], remainder: [UInt8] = []) {
    self.structures = structures
    self.remainder = remainder
  }

  /// The bytes of a legacy advertising packet (Core Specification, Vol 6 Part B 2.3.1.1).
  package static let legacyCapacity = 31

  package var size: Int { structures.reduce(remainder.count) { $0 + $1.size } }

  package var bytes: [UInt8] { structures.flatMap(\.bytes) + remainder }
}

extension AdvertisingData {
  /// The services in its lists of UUIDs, whether a list is complete or not (Supplement to the Core Specification, Part A
  /// 1.1).
  package var serviceUUIDs: [BluetoothUUID] {
    structures.flatMap { structure -> [BluetoothUUID] in
      guard let width = structure.type.widthOfServiceUUIDs else { return [] }
      return stride(from: 0, through: structure.value.count - width.rawValue, by: width.rawValue).compactMap {
        BluetoothUUID(littleEndianBytes: structure.value[$0..<$0 + width.rawValue])
      }
    }
  }

  /// Reads any bytes. A zero length ends the data early (Vol 3 Part C 11), and so does a length beyond the end; the
  /// bytes from there on are the `remainder`.
  package init(parsing bytes: [UInt8]) {
    var structures = [ADStructure]()
    var position = 0
    while position < bytes.count {
      let length = Int(bytes[position])
      let end = position + 1 + length
      guard length > 0, end <= bytes.count else { break }
      let type = AdvertisingDataType(rawValue: bytes[position + 1])
      structures.append(ADStructure(type, Array(bytes[position + 2..<end])))
      position = end
    }
    self.init(structures, remainder: Array(bytes[position...]))
  }
}
