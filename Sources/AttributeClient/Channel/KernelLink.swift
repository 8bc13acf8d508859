import Bluetooth
import EventLoop
import Glibc

/// The LE link between a controller of this machine and a device, as the kernel keeps it.
///
/// It outlives its last socket by two seconds (`HCI_DISCONN_TIMEOUT`), and who connects meanwhile gets the same
/// link again: the peripheral sees nobody leave and nobody come.
struct KernelLink {
  let controller: LocalController
  let peer: LinkAddress

  /// Ends the link and returns when it is gone, or at the time limit.
  ///
  /// The controller is told at once where that is allowed (`CAP_NET_RAW`); else it takes those two seconds.
  @EventLoop
  func end(timeLimit: Duration = .seconds(10)) async {
    let deadline = EventLoop.now + timeLimit.microseconds
    guard let socket = Self.controlSocket() else { return }
    if let handle = handle(socket) { disconnect(handle) }
    while handle(socket) != nil, EventLoop.now < deadline, !Task.isCancelled {
      await EventLoop.pause(.milliseconds(20))
    }
  }
}

// MARK: HCI sockets (include/net/bluetooth/hci_sock.h)

extension KernelLink {
  private static let hci: Int32 = 1
  /// `HCIGETCONNLIST`, `_IOR('H', 212, int)`.
  private static let getConnectionList: UInt = 0x8004_48D4
  private static let mostLinks = 64

  private static func controlSocket() -> FileDescriptor? {
    let descriptor = socket(SocketAddress.family, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), hci)
    return descriptor >= 0 ? FileDescriptor(owning: descriptor) : nil
  }

  /// The number the controller has given the link; nil when there is no link.
  private func handle(_ socket: FileDescriptor) -> UInt16? {
    var list = LinkList(of: controller.index, capacity: Self.mostLinks)
    let result = list.bytes.withUnsafeMutableBytes {
      ioctl(socket.rawValue, Self.getConnectionList, $0.baseAddress!)
    }
    return result == 0 ? list.handle(of: peer.address) : nil
  }

  /// Sends the controller an HCI Disconnect, for the reason Remote User Terminated Connection.
  private func disconnect(_ handle: UInt16) {
    guard let socket = Self.controlSocket(), bind(socket) else { return }
    // Command packet, opcode 0x0406, 3 bytes of parameters: handle, reason (Core Specification, Vol 4 Part E 7.1.6)
    let low = UInt8(truncatingIfNeeded: handle)
    let high = UInt8(truncatingIfNeeded: handle >> 8)
    let command: [UInt8] = [0x01, 0x06, 0x04, 0x03, low, high, 0x13]
    _ = command.withUnsafeBytes { write(socket.rawValue, $0.baseAddress, $0.count) }
  }

  /// Binds to the controller, by `struct sockaddr_hci`: family, index and channel (0 is raw), 2 bytes each.
  private func bind(_ socket: FileDescriptor) -> Bool {
    let address: [UInt16] = [UInt16(SocketAddress.family), controller.index, 0]
    return address.withUnsafeBytes {
      Glibc.bind(
        socket.rawValue, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
    }
  }
}

/// `struct hci_conn_list_req`: what `HCIGETCONNLIST` is asked with and fills in, in the byte order of the machine.
///
///     offset  bytes
///          0      2  index of the controller
///          2      2  how many links there is room for; then how many there are
///          4     16  each link: handle (2), address (6, least significant first), type (1, 0x80 is LE), outgoing (1),
///                    state (2), link mode (4)
struct LinkList {
  private static let headerLength = 4
  private static let rowLength = 16
  private static let lowEnergy: UInt8 = 0x80

  var bytes: [UInt8]

  init(of controller: UInt16, capacity: Int) {
    bytes = [controller, UInt16(capacity)].withUnsafeBytes(Array.init)
    bytes += [UInt8](repeating: 0, count: capacity * Self.rowLength)
  }

  /// The handle of the LE link to a device.
  func handle(of peer: DeviceAddress) -> UInt16? {
    let rows = (0..<Int(number(at: 2))).map { Self.headerLength + $0 * Self.rowLength }
    let row = rows.first { row in
      row + Self.rowLength <= bytes.count && bytes[row + 8] == Self.lowEnergy
        && bytes[row + 2..<row + 8].elementsEqual(peer.bytes.reversed())
    }
    return row.map(number)
  }

  private func number(at offset: Int) -> UInt16 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
  }
}
