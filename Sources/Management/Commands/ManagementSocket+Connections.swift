import Bluetooth

extension ManagementSocket {
  /// Ends the link to a peer, and returns after that.
  package func disconnect(_ peer: LinkAddress, on controller: UInt16) async throws(ManagementError) {
    try await perform(.disconnect, on: controller, peer.fieldBytes)
  }

  package func connectionInformation(
    _ peer: LinkAddress, on controller: UInt16
  ) async throws(ManagementError) -> ConnectionInformation {
    try await perform(
      .getConnectionInformation, on: controller, peer.fieldBytes, reading: ConnectionInformation.init)
  }
}
