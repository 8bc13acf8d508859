import Framing

/// What a controller can advertise (bluez: doc/mgmt-api.txt, Read Advertising Features).
package struct AdvertisingFeatures: Hashable, Sendable {
  /// The flags that an instance may have.
  package var flags: AdvertisingFlags
  /// In bytes, for an instance without flags that add fields.
  package var maximumAdvertisingData: Int
  /// In bytes, for an instance without flags that add fields.
  package var maximumScanResponse: Int
  package var maximumInstances: Int
  /// The numbers in use. Linux 6.12 leaves out a number above their count: while only number 2 is in use, this is
  /// empty (`read_adv_features` of its net/bluetooth/mgmt.c).
  package var instances: [UInt8]

  package init(
    flags: AdvertisingFlags, maximumAdvertisingData: Int, maximumScanResponse: Int, maximumInstances: Int,
    instances: [UInt8]
  ) {
    self.flags = flags
    self.maximumAdvertisingData = maximumAdvertisingData
    self.maximumScanResponse = maximumScanResponse
    self.maximumInstances = maximumInstances
    self.instances = instances
  }
}

extension AdvertisingFeatures {
  init?(reading fields: inout ByteReader) {
    guard let flags = fields.number(UInt32.self), let advertisingData = fields.byte(),
      let scanResponse = fields.byte(), let maximum = fields.byte(), let count = fields.byte(),
      let instances = fields.bytes(Int(count))
    else { return nil }
    self.init(
      flags: AdvertisingFlags(rawValue: flags), maximumAdvertisingData: Int(advertisingData),
      maximumScanResponse: Int(scanResponse), maximumInstances: Int(maximum), instances: instances)
  }
}
