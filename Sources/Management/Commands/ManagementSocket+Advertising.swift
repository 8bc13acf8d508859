extension ManagementSocket {
  package func advertisingFeatures(
    of controller: UInt16
  ) async throws(ManagementError) -> AdvertisingFeatures {
    try await perform(.readAdvertisingFeatures, on: controller, reading: AdvertisingFeatures.init)
  }

  /// Adds an instance, or changes the one with the same number. If its data is refused, there is no such instance.
  ///
  /// The controller must be switched on. An instance outlives the socket (bluez: doc/mgmt-api.txt, Add Extended
  /// Advertising Parameters).
  package func addAdvertising(
    _ instance: AdvertisingInstance, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(.addExtendedAdvertisingParameters, on: controller, instance.parameterBytes)
    do throws(ManagementError) {
      try await setAdvertisingData(
        number: instance.number, data: instance.data, scanResponse: instance.scanResponse, on: controller)
    } catch {
      try? await removeAdvertising(instance.number, on: controller)
      throw error
    }
  }

  /// Replaces the data of an instance (bluez: doc/mgmt-api.txt, Add Extended Advertising Data).
  ///
  /// The lengths have one byte each. Longer data gets the kernel's answer to data that is too long for the controller.
  package func setAdvertisingData(
    number: UInt8, data: [UInt8], scanResponse: [UInt8], on controller: UInt16
  ) async throws(ManagementError) {
    guard let dataCount = UInt8(exactly: data.count), let scanCount = UInt8(exactly: scanResponse.count)
    else {
      throw .refused(.addExtendedAdvertisingData, .invalidParameters)
    }
    try await perform(
      .addExtendedAdvertisingData, on: controller, [number, dataCount, scanCount] + data + scanResponse)
  }

  /// Removes an instance, or all with the number 0.
  package func removeAdvertising(
    _ number: UInt8, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(.removeAdvertising, on: controller, [number])
  }
}
