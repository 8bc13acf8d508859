import Bluetooth
import EventLoop
import Glibc
import System

/// The LE link between a controller of this machine and a device, as the kernel keeps it.
///
/// It outlives its last socket by two seconds (`HCI_DISCONN_TIMEOUT`). A program that connects within that time
/// gets the same link again, and the peripheral sees no disconnection.
package struct KernelLink {
  let controller: LocalController
  let peer: LinkAddress

  package init(controller: LocalController, peer: LinkAddress) {
    self.controller = controller
    self.peer = peer
  }

  /// Tells the controller to end the link for a reason that the peer gets; false if that is not allowed (`CAP_NET_RAW`), or
  /// there is no link.
  package func disconnect(_ reason: HCIError = .remoteUserTerminated) -> Bool {
    guard let socket = Self.controlSocket() else { return false }
    return withExtendedLifetime(socket) {
      guard let handle = handle(socket), bind(socket) else { return false }
      return sendDisconnect(handle, reason, socket)
    }
  }

  /// The number that the controller has given to the link; nil: there is no link, or the kernel does not report it.
  package var handle: UInt16? {
    guard let socket = Self.controlSocket() else { return nil }
    return handle(socket)
  }

  /// Whether the controller began the link, and so is its central; nil: there is no link, or the kernel does not report it.
  package var isOutgoing: Bool? {
    guard let socket = Self.controlSocket() else { return nil }
    return list(socket)?.isOutgoing(to: peer.address)
  }

  /// Whether the link is encrypted; nil: there is no link, or the kernel does not report it.
  package var isEncrypted: Bool? {
    guard let socket = Self.controlSocket() else { return nil }
    return list(socket)?.isEncrypted(to: peer.address)
  }

  /// Returns when the link has ended, or at the time limit.
  @EventLoop
  package func waitForEnd(timeLimit: Duration = .seconds(10)) async {
    let deadline = EventLoop.now + timeLimit.microseconds
    guard let socket = Self.controlSocket() else { return }
    while handle(socket) != nil, EventLoop.now < deadline {
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

  /// The number that the controller has given to the link; nil if there is no link.
  private func handle(_ socket: FileDescriptor) -> UInt16? { list(socket)?.handle(of: peer.address) }

  /// The controller's links; nil: the kernel does not report them.
  private func list(_ socket: FileDescriptor) -> LinkList? {
    var list = LinkList(of: controller.index, capacity: Self.mostLinks)
    let result = list.bytes.withUnsafeMutableBytes {
      ioctl(socket.rawValue, Self.getConnectionList, $0.baseAddress!)
    }
    return result == 0 ? list : nil
  }

  /// HCI Disconnect.
  private func sendDisconnect(_ handle: UInt16, _ reason: HCIError, _ socket: FileDescriptor) -> Bool {
    // Command packet, opcode 0x0406, 3 bytes of parameters: handle, reason (Core Specification, Vol 4 Part E 7.1.6)
    let low = UInt8(truncatingIfNeeded: handle)
    let high = UInt8(truncatingIfNeeded: handle >> 8)
    let command: [UInt8] = [0x01, 0x06, 0x04, 0x03, low, high, reason.rawValue]
    return Privileges.raised { write(socket.rawValue, command, command.count) == command.count }
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
