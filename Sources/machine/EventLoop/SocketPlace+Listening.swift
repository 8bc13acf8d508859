import Glibc

/// Why a socket cannot listen at a place.
package enum ListeningFailure: Error, Hashable, Sendable {
  /// There is no such host, with the reason of getaddrinfo(3).
  case unknownHost(reason: String)
  /// With the kernel's `errno`.
  case refused(Int32)
}

extension SocketPlace {
  /// Creates a non-blocking TCP socket that listens there. Only the lookup of a host name blocks.
  ///
  /// - Parameters:
  ///   - backlog: how many connections may wait; by default as many as the kernel lets wait.
  ///   - receiveBuffer: the size of the buffer that accepted sockets inherit, bytes, which the kernel doubles; nil: the usual
  ///     one.
  package func listen(
    backlog: Int32 = SOMAXCONN, receiveBuffer: Int32? = nil
  ) throws(ListeningFailure) -> FileDescriptor {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &found)
    guard code == 0, let address = found?.pointee else {
      throw .unknownHost(reason: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(found) }
    let kind = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(address.ai_family, kind, 0)
    guard number >= 0 else { throw .refused(errno) }
    let descriptor = FileDescriptor(owning: number)
    // A port that an earlier process has just closed counts as free.
    Self.set(SO_REUSEADDR, of: number, to: 1)
    if let receiveBuffer { Self.set(SO_RCVBUF, of: number, to: receiveBuffer) }
    guard bind(number, address.ai_addr, address.ai_addrlen) == 0, Glibc.listen(number, backlog) == 0 else {
      throw .refused(errno)
    }
    return descriptor
  }

  private static func set(_ option: Int32, of socket: Int32, to value: Int32) {
    var value = value
    setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
