import EventLoop
import Glibc

/// Tells when a controller may have encrypted a link, or given it another key.
///
/// It hears the controller's events (`HCI_CHANNEL_RAW` of the kernel's net/bluetooth/hci_sock.c) before the kernel acts on
/// them. So it then asks the controller something: once that is answered, the kernel has acted.
@EventLoop
package final class EncryptionWatch {
  /// Encryption Change and Encryption Key Refresh Complete, and the answer to a command (Core Specification, Vol 4 Part E
  /// 7.7.8, 7.7.39, 7.7.14).
  private static let encryptionChange: UInt8 = 0x08
  private static let keyRefresh: UInt8 = 0x30
  private static let commandComplete: UInt8 = 0x0E
  /// Read Local Version Information (7.4.1), which changes nothing.
  private static let question: UInt16 = 0x1001

  private var watch: EventLoop.DescriptorWatch?
  private var socket: FileDescriptor?
  private var buffer = [UInt8](repeating: 0, count: 258)

  /// Called when the security of a link may have changed.
  package var onChange: (@EventLoop () -> Void)?

  package init() {}

  /// Follows a controller; without `CAP_NET_RAW` it tells nothing.
  package func follow(_ controller: UInt16) {
    stop()
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let rawValue = Glibc.socket(SocketAddress.family, kind, 1)
    guard rawValue >= 0 else { return }
    let descriptor = FileDescriptor(owning: rawValue)
    guard Self.choosePackets(of: rawValue), Self.bind(rawValue, to: controller) else { return }
    watch = EventLoop.DescriptorWatch(rawValue, for: .readable) { [weak self] _ in self?.readAll() }
    socket = descriptor
  }

  package func stop() {
    watch = nil
    socket = nil
  }
}

extension EncryptionWatch {
  /// Sets `struct hci_filter`: masks of packet types (4 bytes) and events (8), the opcode of answers (2) and padding.
  private static func choosePackets(of socket: Int32) -> Bool {
    let events = [encryptionChange, keyRefresh, commandComplete].reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    let filter = [1 << 4, UInt32(truncatingIfNeeded: events), UInt32(events >> 32), UInt32(question)]
    return setsockopt(socket, 0, 2, filter, socklen_t(filter.count * MemoryLayout<UInt32>.size)) == 0
  }

  /// Binds to `struct sockaddr_hci`: family, index and channel (0 is raw), 2 bytes each.
  private static func bind(_ socket: Int32, to controller: UInt16) -> Bool {
    let address: [UInt16] = [UInt16(SocketAddress.family), controller, 0]
    return address.withUnsafeBytes {
      Glibc.bind(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
    }
  }

  private func readAll() {
    while let socket {
      let count = buffer.withUnsafeMutableBytes { recv(socket.rawValue, $0.baseAddress, $0.count, 0) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 1 else { return stop() }  // the controller has been removed
      take(buffer[1])
    }
  }

  private func take(_ event: UInt8) {
    guard event != Self.commandComplete else {
      onChange?()
      return
    }
    // 01  01 10  00: command, Read Local Version Information, no parameters
    let command: [UInt8] = [0x01, UInt8(Self.question & 0xFF), UInt8(Self.question >> 8), 0x00]
    if let socket { _ = write(socket.rawValue, command, command.count) }
  }
}
