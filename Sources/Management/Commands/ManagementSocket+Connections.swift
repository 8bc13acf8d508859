import Bluetooth

extension ManagementSocket {
  /// Tells the controller to end the link to a peer, which may still exist when this returns.
  ///
  /// Without a link it is refused with Not Connected, by newer kernels with Disconnected.
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
