/// One field of an advertising packet: length, AD type, value (Core Specification, Vol 3 Part C 11).
package struct ADStructure: Hashable, Sendable {
  package var type: AdvertisingDataType
  package var value: [UInt8]

  package init(_ type: AdvertisingDataType, _ value: [UInt8]) {
    self.type = type
    self.value = value
  }

  /// Its bytes on the air: the length, the type and the value.
  package var size: Int { 2 + value.count }

  /// The longest value for which one length byte is enough.
  package static let maximumValueLength = 254

  /// The structure as sent. A value beyond `maximumValueLength` fits into no packet; its length byte is 255.
  package var bytes: [UInt8] {
    [UInt8(clamping: 1 + value.count), type.rawValue] + value
  }
}
