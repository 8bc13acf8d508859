import EventLoop
import Glibc
import System

/// The numbers of the kernel's include/net/bluetooth/bluetooth.h and hci_sock.h.
extension ManagementSocket {
  private static let family: UInt16 = 31
  private static let hci: Int32 = 1
  private static let controlChannel: UInt16 = 3

  /// Opens a socket for all controllers.
  ///
  /// The kernel looks for `CAP_NET_ADMIN` when the socket is bound, and at no command. A program without it may open the socket and read
  /// basic information, but most of its commands are refused with Permission Denied.
  package static func open() throws(ManagementError) -> ManagementSocket {
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let rawValue = socket(Int32(family), kind, hci)
    guard rawValue >= 0 else { throw ManagementError(opening: errno) }
    let descriptor = FileDescriptor(owning: rawValue)
    guard Privileges.raised({ bind(descriptor) }) else { throw ManagementError(opening: errno) }
    return ManagementSocket(adopting: descriptor)
  }

  /// Binds to `struct sockaddr_hci`: family, index and channel, 2 bytes each in the byte order of the machine.
  private static func bind(_ descriptor: FileDescriptor) -> Bool {
    let address: [UInt16] = [family, ManagementMessage.noController, controlChannel]
    return address.withUnsafeBytes {
      Glibc.bind(
        descriptor.rawValue, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
    }
  }
}
