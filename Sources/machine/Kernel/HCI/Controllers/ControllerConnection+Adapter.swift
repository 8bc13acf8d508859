import EventLoop
import Glibc
import System

/// The kernel's user channel (include/net/bluetooth/hci_sock.h): a program has an adapter for itself, and the kernel does not use
/// it until the socket is closed, which also happens when the program is killed.
extension ControllerConnection {
  private static let family: UInt16 = 31
  private static let hci: Int32 = 1
  private static let userChannel: UInt16 = 1

  /// Takes an adapter from the kernel, which must have switched it off. It needs `CAP_NET_ADMIN`.
  package static func take(adapter index: UInt16) throws(ControllerFinding) -> ControllerConnection {
    let place = ControllerPlace.adapter(index)
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(Int32(family), kind, hci)
    guard number >= 0 else { throw ControllerFinding(taking: place, errno) }
    let descriptor = FileDescriptor(owning: number)
    // struct sockaddr_hci: family, index and channel, 2 bytes each in the byte order of the machine
    let address: [UInt16] = [family, index, userChannel]
    let isBound = Privileges.raised {
      address.withUnsafeBytes {
        bind(number, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
      }
    }
    guard isBound else { throw ControllerFinding(taking: place, errno) }
    return ControllerConnection(adopting: descriptor, of: place, .ofKernel)
  }
}

extension ControllerFinding {
  /// The error of `hci_sock_bind` (net/bluetooth/hci_sock.c).
  fileprivate init(taking place: ControllerPlace, _ code: Int32) {
    switch code {
    case EPERM, EACCES: self = .mayNotTakeAdapter(place)
    case ENODEV: self = .noAdapter(place)
    case EBUSY, EUSERS: self = .adapterIsOn(place)
    case ERFKILL: self = .adapterIsBlocked(place)
    default: self = .cannotTakeAdapter(place, reason: String(cString: strerror(code)))
    }
  }
}
