import EventLoop
import Glibc

/// The numbers of the kernel's include/net/bluetooth/bluetooth.h and hci_sock.h.
extension HCICommandSocket {
  private static let family: UInt16 = 31
  private static let hci: Int32 = 1
  private static let rawChannel: UInt16 = 0
  /// `SOL_HCI` and `HCI_FILTER`.
  private static let (level, filterOption): (Int32, Int32) = (0, 2)

  /// Opens a socket for a controller that is on.
  package static func open(on controller: UInt16) throws(HCICommandError) -> HCICommandSocket {
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let rawValue = socket(Int32(family), kind, hci)
    guard rawValue >= 0 else { throw HCICommandError(code: errno) }
    let descriptor = FileDescriptor(owning: rawValue)
    guard filter(descriptor), bind(descriptor, to: controller) else { throw HCICommandError(code: errno) }
    return HCICommandSocket(adopting: descriptor)
  }

  /// Asks for commands and for the events that ``HCIPacket`` reads, not for data (`struct hci_ufilter`: kinds of packets;
  /// events, 64 bits; an opcode, none; padding).
  private static func filter(_ descriptor: FileDescriptor) -> Bool {
    let kinds: UInt32 = 1 << 1 | 1 << 4
    let events: [UInt32] = [1 << 0x05 | 1 << 0x0E | 1 << 0x0F, 1 << (0x3E - 32)]
    let filter = [kinds] + events + [0]
    return filter.withUnsafeBytes {
      setsockopt(descriptor.rawValue, level, filterOption, $0.baseAddress, socklen_t($0.count)) == 0
    }
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
