import Bluetooth
import EventLoop
import Glibc

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
  private static let publicAddress: UInt8 = 1
  private static let randomAddress: UInt8 = 2

  static let length = 14

  let bytes: [UInt8]

  /// - Parameter bytes: as the kernel has filled them.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The device; nil if it is not one of LE.
  var device: LinkAddress? {
    guard bytes.count >= Self.length, let address = DeviceAddress(littleEndianBytes: bytes[4..<10]) else {
      return nil
    }
    switch bytes[12] {
    case Self.publicAddress: return LinkAddress(address, .public)
    case Self.randomAddress: return LinkAddress(address, .random)
    default: return nil
    }
  }

  /// The ATT channel of a device.
  init(attributesOf device: LinkAddress) {
    self.init(device, service: 0, channel: Self.attributeChannel)
  }

  /// A channel of a device with credit-based flow control, by the low byte of its SPSM.
  init(service: UInt8, of device: LinkAddress) { self.init(device, service: service, channel: 0) }

  private init(_ device: LinkAddress, service: UInt8, channel: UInt8) {
    let kind = device.kind == .public ? Self.publicAddress : Self.randomAddress
    var bytes = withUnsafeBytes(of: UInt16(Self.family), Array.init)
    bytes += [service, 0]
    bytes += device.address.bytes.reversed()
    bytes += [channel, 0x00, kind, 0]
    self.bytes = bytes
  }
}

extension SocketAddress {
  /// Passes the address to `body` in the form of bind(2) and connect(2).
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    bytes.withUnsafeBytes {
      body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
  }
}

extension SocketAddress {
  /// `BTPROTO_L2CAP` of the kernel's `include/net/bluetooth/bluetooth.h`.
  private static let l2cap: Int32 = 0

  /// A new socket with this address, in non-blocking mode; nil: see `errno`.
  func boundSocket() -> FileDescriptor? {
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let rawValue = socket(Self.family, kind, Self.l2cap)
    guard rawValue >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: rawValue)
    if withPointer({ bind(rawValue, $0, $1) }) == 0 { return descriptor }
    let code = errno  // closing the socket may change it
    return withExtendedLifetime(descriptor) {
      errno = code
      return nil
    }
  }
}
