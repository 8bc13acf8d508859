/// What a transport sends for an `Advertisement`: the two legacy packets, field by field.
package struct AdvertisingPackets: Hashable, Sendable {
  /// In the order in which they are sent.
  package var advertisingFields: [AdvertisingField]
  package var scanResponseFields: [AdvertisingField]

  /// Fields that the transport leaves out because there is no room for them.
  package var omittedFields: [AdvertisingField]

  /// What the transport cannot do, or does in another way than the advertisement asks: a sentence each.
  package var remarks: [String]

  package init(
    advertisingFields: [AdvertisingField] = [], scanResponseFields: [AdvertisingField] = [],
    omittedFields: [AdvertisingField] = [], remarks: [String] = []
  ) {
    (self.advertisingFields, self.scanResponseFields) = (advertisingFields, scanResponseFields)
    (self.omittedFields, self.remarks) = (omittedFields, remarks)
  }

  package var advertisingData: AdvertisingData { AdvertisingData(advertisingFields.map(\.structure)) }

  package var scanResponse: AdvertisingData { AdvertisingData(scanResponseFields.map(\.structure)) }
}
