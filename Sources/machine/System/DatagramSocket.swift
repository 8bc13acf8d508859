import EventLoop
import Glibc

/// Sends datagrams to a Unix socket of another process, and never waits for it.
package struct DatagramSocket: Sendable {
  private let descriptor: FileDescriptor
  private let address: sockaddr_un
  private let addressSize: socklen_t

  /// - Parameter path: of a file, or after an `@` a name without a file (unix(7), "abstract").
  /// - Returns: nil: it is not a path, it is too long, or the process has no free descriptor.
  package init?(to path: String) {
    var bytes = Array(path.utf8)
    guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
      return nil
    }
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    var address = sockaddr_un()
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { return nil }
    descriptor = FileDescriptor(owning: number)
    self.address = address
    addressSize = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count)
  }

  /// Sends a datagram.
  ///
  /// - Returns: why it was not sent, as an `errno`: `EAGAIN` if the other process has not read the earlier ones; nil: it was.
  package func send(_ bytes: Span<UInt8>) -> Int32? {
    bytes.withUnsafeBytes { bytes in
      withUnsafePointer(to: address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          while sendto(
            descriptor.rawValue, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), address, addressSize)
            < 0
          {
            guard errno == EINTR else { return errno }
          }
          return nil
        }
      }
    }
  }
}
