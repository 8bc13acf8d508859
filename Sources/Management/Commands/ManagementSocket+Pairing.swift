import Bluetooth

// MARK: How a controller pairs

extension ManagementSocket {
  /// Sets what the controller has to show and enter numbers; links that exist keep what they have.
  package func setIOCapability(
    _ capability: IOCapability, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(.setIOCapability, on: controller, [capability.rawValue])
  }
}

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

  /// Replaces the keys of all peers with those of these bonds.
  package func load(_ bonds: [Bond], on controller: UInt16) async throws(ManagementError) {
    let keys = bonds.flatMap { bond in bond.longTermKeys.map { bond.peer.fieldBytes + $0.fieldBytes } }
    try await load(keys, .loadLongTermKeys, on: controller)
    let identities = bonds.compactMap { bond in bond.identityResolvingKey.map { bond.peer.fieldBytes + $0 } }
    try await load(identities, .loadIdentityResolvingKeys, on: controller)
  }

  /// The number of rows, and the rows.
  private func load(
    _ rows: [[UInt8]], _ opcode: ManagementOpcode, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(opcode, on: controller, UInt16(clamping: rows.count).littleEndianBytes + rows.joined())
  }
}
