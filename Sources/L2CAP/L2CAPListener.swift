import Bluetooth
import EventLoop
import Glibc

/// Takes the ATT channels of centrals that connect to a controller of this machine.
///
/// Several listeners may have the same address: the kernel gives each new connection to the one that was created last
/// (`l2cap_global_chan_by_scid` and `l2cap_global_fixed_chan` of net/bluetooth/l2cap_core.c). So this works beside
/// bluetoothd, and a bluetoothd that starts later takes the new connections until there is a newer listener.
@EventLoop
package final class L2CAPListener {
  /// How many connections the kernel keeps until they are accepted.
  private static let backlog: Int32 = 16

  // Declared before the descriptor, which must stay open while it is watched.
  private var watch: EventLoop.DescriptorWatch?
  private let descriptor: FileDescriptor
  private let onConnect: @EventLoop (FileDescriptor, LinkAddress) -> Void

  /// Accepts connections until it is released.
  ///
  /// - Parameters:
  ///   - own: the address of the controller, which must be switched on.
  ///   - onConnect: called with the socket of each new channel, in non-blocking mode, and the central.
  package init(
    on own: LinkAddress, onConnect: @escaping @EventLoop (FileDescriptor, LinkAddress) -> Void
  ) throws(L2CAPError) {
    let address = SocketAddress(attributesOf: own)
    guard let descriptor = address.boundSocket(), listen(descriptor.rawValue, Self.backlog) == 0 else {
      throw L2CAPError(beforehand: errno, own: own, peer: own)
    }
    self.descriptor = descriptor
    self.onConnect = onConnect
    watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { [weak self] _ in
      self?.acceptAll()
    }
  }

  /// Accepts the connections that wait in the kernel.
  package func acceptAll() {
    while let (socket, central) = acceptOne() {
      if let central { onConnect(socket, central) }
    }
  }

  /// The next connection; its central is nil if it has gone or is not one of LE.
  private func acceptOne() -> (FileDescriptor, LinkAddress?)? {
    var bytes = [UInt8](repeating: 0, count: SocketAddress.length)
    var size = socklen_t(bytes.count)
    let rawValue = bytes.withUnsafeMutableBytes {
      accept(descriptor.rawValue, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard rawValue >= 0 else { return nil }
    _ = fcntl(rawValue, F_SETFD, FD_CLOEXEC)
    _ = fcntl(rawValue, F_SETFL, O_NONBLOCK)
    return (FileDescriptor(owning: rawValue), SocketAddress(bytes).device)
  }
}

extension FileDescriptor {
  /// `SOL_L2CAP` and `L2CAP_CONNINFO` of the kernel's include/net/bluetooth/bluetooth.h and l2cap.h.
  private static let l2capLevel: Int32 = 6
  private static let connectionOption: Int32 = 2

  /// The number that the controller has given to the link of an L2CAP socket; nil: it is not connected.
  package var linkHandle: UInt16? {
    var information: [UInt16] = [0, 0, 0]  // struct l2cap_conninfo: handle, class of device (3 bytes)
    var size = socklen_t(information.count * MemoryLayout<UInt16>.size)
    let result = getsockopt(rawValue, Self.l2capLevel, Self.connectionOption, &information, &size)
    return result == 0 ? information[0] : nil
  }

  /// `SOL_BLUETOOTH` and `BT_SECURITY` of the kernel's include/net/bluetooth/bluetooth.h.
  private static let bluetoothLevel: Int32 = 274
  private static let securityOption: Int32 = 4

  /// The security level of a Bluetooth socket's link: 1 low, 2 medium (encrypted), 3 high (authenticated), 4 FIPS
  /// (LE Secure Connections), 0 if it is unknown; and the size of its key in bytes, 0 if the kernel does not report it.
  package var linkSecurity: (level: UInt8, keySize: Int) {
    var security: [UInt8] = [0, 0]  // struct bt_security: level, size of the key
    var size = socklen_t(security.count)
    let result = getsockopt(rawValue, Self.bluetoothLevel, Self.securityOption, &security, &size)
    return result == 0 ? (security[0], Int(security[1])) : (0, 0)
  }
}
