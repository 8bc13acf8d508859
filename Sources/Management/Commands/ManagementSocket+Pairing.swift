import Bluetooth

// MARK: Answers

extension ManagementSocket {
  /// Answers a User Confirmation Request. The first answer of any program counts.
  package func confirm(
    _ isRight: Bool, for peer: LinkAddress, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(
      isRight ? .userConfirmationReply : .userConfirmationNegativeReply, on: controller, peer.fieldBytes)
  }

  /// Answers a User Passkey Request.
  ///
  /// - Parameter passkey: nil: there is none, and pairing fails.
  package func enter(
    passkey: UInt32?, for peer: LinkAddress, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(
      passkey == nil ? .userPasskeyNegativeReply : .userPasskeyReply, on: controller,
      peer.fieldBytes + (passkey?.littleEndianBytes ?? []))
  }
}

// MARK: Pairing

extension ManagementSocket {
  /// Pairs with a device to which the controller is connected, or first connects to it.
  ///
  /// - Parameter timeLimit: longer than the 30 s after which the kernel gives up.
  package func pair(
    _ peer: LinkAddress, as capability: IOCapability, on controller: UInt16,
    timeLimit: Duration = .seconds(60)
  ) async throws(ManagementError) {
    try await perform(
      .pairDevice, on: controller, peer.fieldBytes + [capability.rawValue], timeLimit: timeLimit)
  }
}

// MARK: Keys

extension ManagementSocket {
  /// Forgets the keys of a peer; so does bluetoothd.
  package func unpair(
    _ peer: LinkAddress, disconnecting: Bool, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(.unpairDevice, on: controller, peer.fieldBytes + [disconnecting ? 1 : 0])
  }
}
