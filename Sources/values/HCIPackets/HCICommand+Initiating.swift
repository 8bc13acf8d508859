import Bluetooth

// Vol 4 Part E 7.8.12, 7.8.13, 7.8.66
extension HCICommand {
  /// LE Create Connection, or LE Extended Create Connection. It begins with a Command Status and ends with LE Connection Complete.
  ///
  ///     60 00  60 00  00  00  66 55 44 33 22 11  00  18 00  28 00  00 00  2A 00  00 00  00 00
  ///     scan interval and window, filter policy, kind of the peer's address, address, kind of own address, shortest and
  ///     longest interval of the link, latency, supervision timeout, lengths of connection events: any
  ///     00  00  00  66 55 44 33 22 11  01  60 00 60 00 18 00 28 00 00 00 2A 00 00 00 00 00
  ///     filter policy, kind of own address, kind of the peer's address, address, PHYs, and for each of them the rest
  package static func createConnection(_ request: ConnectionRequest, isExtended: Bool) -> Self {
    let scan = request.scanInterval.littleEndianBytes + request.scanWindow.littleEndianBytes
    let link = request.parameters.characteristicValue + [0x00, 0x00, 0x00, 0x00]
    let own: UInt8 = request.address == nil ? 0 : 1
    let policy: UInt8 = request.peer == .acceptList ? 1 : 0
    guard isExtended else {
      return Self(.createConnection, scan + [policy] + request.peer.bytes + [own] + link)
    }
    let timings = (0..<request.phys.count).flatMap { _ in scan + link }
    return Self(
      .createConnectionExtended, [policy, own] + request.peer.bytes + [request.phys.rawValue] + timings)
  }

  /// LE Create Connection Cancel. LE Connection Complete follows, with the error 0x02, Unknown Connection Identifier.
  package static let cancelConnection = Self(.cancelConnection)
}

extension ConnectionRequest.Peer {
  /// The kind of the address, and the address; zeros for the accept list.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .device(let peer): peer.parameterBytes
    case .acceptList: [UInt8](repeating: 0, count: 7)
    }
  }
}
