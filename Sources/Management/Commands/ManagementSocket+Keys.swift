import Bluetooth

extension ManagementSocket {
  /// Forgets the keys of a peer; so does bluetoothd.
  package func unpair(
    _ peer: LinkAddress, disconnecting: Bool, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(.unpairDevice, on: controller, peer.fieldBytes + [disconnecting ? 1 : 0])
  }
}
