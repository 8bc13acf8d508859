/// The parts of an advertisement that a device has in each legacy packet, in the order on the air.
package struct PacketLayout: Hashable, Sendable {
  package var advertisingData: [AdvertisingField.Content]
  package var scanResponse: [AdvertisingField.Content]

  package init(
    advertisingData: [AdvertisingField.Content] = [], scanResponse: [AdvertisingField.Content] = []
  ) {
    (self.advertisingData, self.scanResponse) = (advertisingData, scanResponse)
  }
}
