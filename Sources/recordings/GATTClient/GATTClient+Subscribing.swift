import Bluetooth

extension GATTClient {
  /// Subscribes to a characteristic, whose values then go to ``onValue``.
  ///
  /// bluetoothd answers before it notifies the program that serves the characteristic.
  package func subscribe(
    to characteristic: DiscoveredCharacteristic, by kind: Delivery
  ) async throws(GATTClientError) {
    try await configure(characteristic, kind)
  }

  package func unsubscribe(from characteristic: DiscoveredCharacteristic) async throws(GATTClientError) {
    try await configure(characteristic, nil)
  }

  /// Writes the CCCD (Core Specification, Vol 3 Part G 3.3.3.3).
  private func configure(
    _ characteristic: DiscoveredCharacteristic, _ delivery: Delivery?
  ) async throws(GATTClientError) {
    guard let configuration = characteristic.configuration else {
      throw .cannotSubscribe(characteristic.uuid)
    }
    try await write(ClientConfiguration(delivery).bytes, to: configuration)
  }
}
