import Bluetooth

extension ManagementSocket {
  /// The devices with a connection, LE or BR/EDR. A controller that is off is refused with Not Powered.
  package func connections(of controller: UInt16) async throws(ManagementError) -> [DeviceAddress] {
    try await perform(.getConnections, on: controller) { fields throws(MalformedFields) in
      var peers: [DeviceAddress] = []
      for _ in 0..<(try fields.number(UInt16.self)) {
        peers.append(try fields.address())
        _ = try fields.bytes(1)  // the kind of the address
      }
      return peers
    }
  }
}
