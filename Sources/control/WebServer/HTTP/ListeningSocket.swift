import EventLoop
import Glibc

/// The TCP socket at which the server listens. Only the lookup of a host name blocks.
package struct ListeningSocket: Sendable {
  let descriptor: FileDescriptor
  /// The port, also where any free one was asked for.
  let port: UInt16
  /// Whether other machines can connect.
  package let isOpen: Bool

  package init(at place: SocketPlace) throws(ListeningFailure) {
    descriptor = try place.listen()
    (port, isOpen) = Self.name(of: descriptor.rawValue)
  }

  private static func name(of socket: Int32) -> (port: UInt16, isOpen: Bool) {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
      if pointer.pointee.ss_family == sa_family_t(AF_INET) {
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          (UInt16(bigEndian: $0.pointee.sin_port), UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24 != 127)
        }
      }
      return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        let isLoopback = withUnsafeBytes(of: $0.pointee.sin6_addr) { $0.elementsEqual(Self.loopback) }
        return (UInt16(bigEndian: $0.pointee.sin6_port), !isLoopback)
      }
    }
  }

  /// `::1`
  private static let loopback = [UInt8](repeating: 0, count: 15) + [1]
}
