import Bluetooth
import Framing

extension ManagementSocket {
  /// The indices of all controllers that are set up; hci0 is 0.
  package func controllers() async throws(ManagementError) -> [UInt16] {
    try await perform(.readControllerIndexList, on: nil) { $0.values { $0.number() } }
  }

  package func information(of controller: UInt16) async throws(ManagementError) -> ControllerInformation {
    try await perform(.readControllerInformation, on: controller, reading: ControllerInformation.init)
  }
}

// MARK: Settings; each command returns those that now apply.

extension ManagementSocket {
  /// How often the kernel is asked to switch a controller on or off.
  private static let mostRequests = 3

  /// Switches a controller on or off.
  ///
  /// Linux 6.12 has reported success although the controller stayed off. It distinguishes such commands by their addresses in memory
  /// (`mgmt_set_powered_complete` of its net/bluetooth/mgmt.c), so one that ends may answer the next. The settings in the answer
  /// are the present ones; if they are not what was asked for, it is asked again.
  ///
  /// - Throws: ``ManagementError/refused(_:_:)`` with ``ManagementStatus/failed`` if that does not help.
  @discardableResult
  package func setPowered(
    _ isOn: Bool, on controller: UInt16
  ) async throws(ManagementError) -> ControllerSettings {
    for _ in 0..<Self.mostRequests {
      let settings = try await set(.setPowered, [isOn ? 1 : 0], on: controller)
      if settings.contains(.powered) == isOn { return settings }
    }
    throw .refused(.setPowered, .failed)
  }

  @discardableResult
  package func setSecureConnections(
    _ isOn: Bool, on controller: UInt16
  ) async throws(ManagementError) -> ControllerSettings {
    try await set(.setSecureConnections, [isOn ? 1 : 0], on: controller)
  }

  private func set(
    _ opcode: ManagementOpcode, _ value: [UInt8], on controller: UInt16
  ) async throws(ManagementError) -> ControllerSettings {
    try await perform(opcode, on: controller, value, reading: ControllerSettings.init)
  }
}

// MARK: Advertising, connections, keys

extension ManagementSocket {
  package func advertisingFeatures(
    of controller: UInt16
  ) async throws(ManagementError) -> AdvertisingFeatures {
    try await perform(.readAdvertisingFeatures, on: controller, reading: AdvertisingFeatures.init)
  }

  /// The devices with a connection, LE or BR/EDR. A controller that is off is refused with Not Powered.
  package func connections(of controller: UInt16) async throws(ManagementError) -> [DeviceAddress] {
    try await perform(.getConnections, on: controller) {
      $0.values { fields in
        let address = fields.address()
        return fields.skip(1) ? address : nil  // the kind of the address
      }
    }
  }

  /// Forgets the keys of a peer; so does bluetoothd.
  package func unpair(
    _ peer: LinkAddress, disconnecting: Bool, on controller: UInt16
  ) async throws(ManagementError) {
    try await perform(.unpairDevice, on: controller, peer.fieldBytes + [disconnecting ? 1 : 0])
  }
}

extension ManagementSocket {
  /// Sends a command and reads a value from its return parameters.
  func perform<Value>(
    _ opcode: ManagementOpcode, on controller: UInt16?, _ parameters: [UInt8] = [],
    reading read: (inout ByteReader) -> Value?
  ) async throws(ManagementError) -> Value {
    let answer = try await perform(opcode, on: controller, parameters)
    var fields = ByteReader(answer)
    guard let value = read(&fields) else { throw .unexpectedAnswer(opcode, answer) }
    return value
  }
}
