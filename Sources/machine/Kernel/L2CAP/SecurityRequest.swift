import Bluetooth
import EventLoop
import Glibc

extension KernelLink {
  /// Asks the central for encryption: the kernel sends a Security Request (Core Specification, Vol 3 Part H 3.6.7). On the
  /// central's side, it encrypts the link if it has a key.
  ///
  /// The kernel does so before it opens a channel of this security to the central (`l2cap_le_start` of its
  /// net/bluetooth/l2cap_core.c), and the channel is given up at once. The ATT channel itself would carry nothing until the
  /// link is encrypted.
  ///
  /// - Parameter authenticated: whether pairing must protect against a machine in the middle.
  package func requestSecurity(authenticated: Bool) {
    let own = SocketAddress(service: 0, of: controller.address)
    guard let socket = own.boundSocket() else { return }
    withExtendedLifetime(socket) {
      socket.askFor(securityLevel: authenticated ? 3 : 2)
      _ = SocketAddress(service: Self.anyService, of: peer).withPointer { connect(socket.rawValue, $0, $1) }
    }
  }

  /// A dynamic SPSM (Vol 3 Part A 4.22). No packet names it.
  private static let anyService: UInt8 = 0x80
}

extension FileDescriptor {
  fileprivate func askFor(securityLevel: UInt8) {
    let security: [UInt8] = [securityLevel, 0]  // struct bt_security: level, size of the key
    _ = setsockopt(rawValue, 274, 4, security, socklen_t(security.count))
  }
}
