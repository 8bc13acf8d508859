import Bluetooth

/// The address of an L2CAP socket: `struct sockaddr_l2` of the kernel's `include/net/bluetooth/l2cap.h`.
///
///     offset  bytes
///          0      2  family AF_BLUETOOTH, 31, in the byte order of the machine
///          2      2  PSM, least significant byte first; 0 on a fixed channel
///          4      6  address, least significant byte first
///         10      2  CID, least significant byte first; 4 is ATT (Core Specification, Vol 3 Part A 2.1)
///         12      1  kind of address: 1 is LE public, 2 is LE random
///         13      1  padding
struct SocketAddress: Hashable {
  static let family: Int32 = 31
  private static let attributeChannel: UInt8 = 0x04

  let bytes: [UInt8]

  /// The ATT channel of a device.
  init(attributesOf device: LinkAddress) {
    let kind: UInt8 = device.kind == .public ? 1 : 2
    var bytes = withUnsafeBytes(of: UInt16(Self.family), Array.init)
    bytes += [0, 0]
    bytes += device.address.bytes.reversed()
    bytes += [Self.attributeChannel, 0x00, kind, 0]
    self.bytes = bytes
  }
}
