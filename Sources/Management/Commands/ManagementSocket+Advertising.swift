extension ManagementSocket {
  package func advertisingFeatures(
    of controller: UInt16
  ) async throws(ManagementError) -> AdvertisingFeatures {
    try await perform(.readAdvertisingFeatures, on: controller, reading: AdvertisingFeatures.init)
  }
}
