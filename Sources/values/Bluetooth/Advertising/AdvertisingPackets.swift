/// The two packets that a transport sends for an `Advertisement`, field by field.
package struct AdvertisingPackets: Hashable, Sendable {
  /// In the order on the air.
  package var advertisingFields: [AdvertisingField]
  package var scanResponseFields: [AdvertisingField]

  /// The fields that the transport does not send, because they do not fit.
  package var omittedFields: [AdvertisingField]

  /// Where the transport differs from the advertisement, one sentence each.
  package var remarks: [String]

  package var capacity = PacketCapacity.legacy

  package init(
    advertisingFields: [AdvertisingField] = [], scanResponseFields: [AdvertisingField] = [],
    omittedFields: [AdvertisingField] = [], remarks: [String] = []
  ) {
    (self.advertisingFields, self.scanResponseFields) = (advertisingFields, scanResponseFields)
    (self.omittedFields, self.remarks) = (omittedFields, remarks)
  }

  package var advertisingData: AdvertisingData {
    AdvertisingData(parsing: advertisingFields.flatMap(\.bytes))
  }

  package var scanResponse: AdvertisingData { AdvertisingData(parsing: scanResponseFields.flatMap(\.bytes)) }
}
