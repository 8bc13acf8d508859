import Bluetooth

extension GATTClient {
  /// Subscribes to a characteristic, whose values then go to ``onValue``.
  ///
  /// bluetoothd answers before it notifies the program that serves the characteristic.
  package func subscribe(
    to characteristic: DiscoveredCharacteristic, by kind: Delivery
  ) async throws(GATTClientError) {
    try await configure(characteristic, kind == .notification ? 0x01 : 0x02)
  }

  package func unsubscribe(from characteristic: DiscoveredCharacteristic) async throws(GATTClientError) {
    try await configure(characteristic, 0x00)
  }

  /// Writes the bits of the Client Characteristic Configuration (Core Specification, Vol 3 Part G 3.3.3.3).
  private func configure(
    _ characteristic: DiscoveredCharacteristic, _ bits: UInt8
  ) async throws(GATTClientError) {
    guard let configuration = characteristic.configuration else {
      throw .cannotSubscribe(characteristic.uuid)
    }
    try await write([bits, 0x00], to: configuration)
  }
}
