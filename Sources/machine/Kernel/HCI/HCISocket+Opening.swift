import EventLoop
import Glibc
import System

/// The numbers of the kernel's include/net/bluetooth/bluetooth.h and hci_sock.h.
extension HCISocket {
  private static let family: UInt16 = 31
  private static let hci: Int32 = 1
  private static let rawChannel: UInt16 = 0
  private static let hciLevel: Int32 = 0
  private static let filterOption: Int32 = 2
  /// Disconnection Complete, Encryption Change, Command Complete.
  private static let events: [UInt32] = [0x05, 0x08, 0x0E]

  /// Opens a socket for a controller. Every program may hear these events.
  package static func open(on controller: UInt16) throws(HCISocketError) -> HCISocket {
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let rawValue = socket(Int32(family), kind, hci)
    guard rawValue >= 0 else { throw HCISocketError(code: errno) }
    let descriptor = FileDescriptor(owning: rawValue)
    guard choosePackets(of: descriptor), bind(descriptor, to: controller) else {
      throw HCISocketError(code: errno)
    }
    return HCISocket(adopting: descriptor)
  }

  /// Sets `struct hci_filter`: masks of packet types (4 bytes) and of events (8), an opcode (2) and padding.
  private static func choosePackets(of descriptor: FileDescriptor) -> Bool {
    let filter: [UInt32] = [1 << 4, events.reduce(0) { $0 | 1 << $1 }, 0, 0]
    let size = socklen_t(filter.count * MemoryLayout<UInt32>.size)
    return setsockopt(descriptor.rawValue, hciLevel, filterOption, filter, size) == 0
  }

  /// Binds to `struct sockaddr_hci`: family, index and channel, 2 bytes each in the byte order of the machine.
  private static func bind(_ descriptor: FileDescriptor, to controller: UInt16) -> Bool {
    let address: [UInt16] = [family, controller, rawChannel]
    return address.withUnsafeBytes {
      Glibc.bind(
        descriptor.rawValue, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
    }
  }
}
