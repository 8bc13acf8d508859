import Bluetooth

/// `struct hci_conn_list_req`: the argument and result of `HCIGETCONNLIST`, in the byte order of the machine.
///
///     offset  bytes
///          0      2  index of the controller
///          2      2  how many links fit; then how many there are
///          4     16  each link: handle (2), address (6, least significant first), type (1, 0x80 is LE), outgoing (1),
///                    state (2), link mode (4)
struct LinkList {
  private static let headerLength = 4
  private static let rowLength = 16
  private static let lowEnergy: UInt8 = 0x80
  /// `HCI_LM_ENCRYPT`, a bit of the link mode.
  private static let encrypted: UInt16 = 0x0004

  var bytes: [UInt8]

  init(of controller: UInt16, capacity: Int) {
    bytes = [controller, UInt16(capacity)].withUnsafeBytes(Array.init)
    bytes += [UInt8](repeating: 0, count: capacity * Self.rowLength)
  }

  /// The handle of the LE link to a device.
  func handle(of peer: DeviceAddress) -> UInt16? { row(of: peer).map(number) }

  /// Whether this controller began the LE link to a device; nil: there is none.
  func isOutgoing(to peer: DeviceAddress) -> Bool? { row(of: peer).map { bytes[$0 + 9] != 0 } }

  /// Whether the LE link to a device is encrypted; nil: there is none.
  func isEncrypted(to peer: DeviceAddress) -> Bool? {
    row(of: peer).map { number(at: $0 + 12) & Self.encrypted != 0 }
  }

  private func row(of peer: DeviceAddress) -> Int? {
    let rows = (0..<Int(number(at: 2))).map { Self.headerLength + $0 * Self.rowLength }
    return rows.first { row in
      row + Self.rowLength <= bytes.count && bytes[row + 8] == Self.lowEnergy
        && bytes[row + 2..<row + 8].elementsEqual(peer.bytes.reversed())
    }
  }

  private func number(at offset: Int) -> UInt16 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
  }
}
