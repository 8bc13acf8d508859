/// The signal of a link, in dBm; nil: unknown (bluez: doc/mgmt-api.txt, Get Connection Information).
package struct ConnectionInformation: Hashable, Sendable {
  package var rssi: Int8?
  package var txPower: Int8?
  package var maximumTxPower: Int8?

  package init(rssi: Int8?, txPower: Int8?, maximumTxPower: Int8?) {
    self.rssi = rssi
    self.txPower = txPower
    self.maximumTxPower = maximumTxPower
  }
}

extension ConnectionInformation {
  private static let unknown: Int8 = 127

  init(reading fields: inout FieldReader) throws(MalformedFields) {
    _ = try fields.linkAddress()
    rssi = try Self.known(fields.number())
    txPower = try Self.known(fields.number())
    maximumTxPower = try Self.known(fields.number())
  }

  private static func known(_ value: Int8) -> Int8? { value == unknown ? nil : value }
}
