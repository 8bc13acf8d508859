import EventLoop
import Glibc

extension ControllerConnection {
  /// The most time for connecting.
  private static let connectionLimit = Duration.seconds(5)

  /// Connects to a controller at a TCP port. Only the lookup of the host's name blocks.
  ///
  /// It tries all addresses of the host, because "localhost" is often two, and a program listens at one of them.
  package static func connect(
    host: String, port: UInt16, timeLimit: Duration = connectionLimit
  ) async throws(ControllerFinding) -> ControllerConnection {
    let place = ControllerPlace.tcp(host: host, port: port)
    let deadline = EventLoop.now + timeLimit.microseconds
    var code = EHOSTUNREACH
    for address in try addresses(of: host, port) {
      let (descriptor, outcome) = await attempt(address, until: deadline)
      if let descriptor, outcome == 0 {
        return ControllerConnection(adopting: descriptor, of: place)
      }
      // Of several reasons, that something answered is the best one.
      if code != ECONNREFUSED { code = outcome }
    }
    switch code {
    case ECONNREFUSED: throw .nothingListens(place)
    case ETIMEDOUT: throw .doesNotAnswer(place, seconds: Int(timeLimit.components.seconds))
    default: throw .unreachable(place, reason: String(cString: strerror(code)))
    }
  }

  /// An address of a host: `struct sockaddr_in` or `struct sockaddr_in6`.
  private struct Address: Sendable {
    var family: Int32
    var bytes: [UInt8]
  }

  private static func addresses(of host: String, _ port: UInt16) throws(ControllerFinding) -> [Address] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &found)
    guard code == 0 else { throw .unknownHost(host, reason: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(found) }
    return sequence(first: found, next: { $0?.pointee.ai_next }).prefix { $0 != nil }.compactMap { entry in
      entry.map {
        Address(
          family: $0.pointee.ai_family,
          bytes: Array(UnsafeRawBufferPointer(start: $0.pointee.ai_addr, count: Int($0.pointee.ai_addrlen))))
      }
    }
  }

  /// Tries one address. The outcome is 0 for success, or `errno`.
  private static func attempt(_ address: Address, until deadline: Int64) async -> (FileDescriptor?, Int32) {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(address.family, kind, 0)
    guard number >= 0 else { return (nil, errno) }
    let descriptor = FileDescriptor(owning: number)
    descriptor.set(Int32(IPPROTO_TCP), TCP_NODELAY)
    descriptor.set(SOL_SOCKET, SO_KEEPALIVE)
    let isConnected = address.bytes.withUnsafeBytes {
      Glibc.connect(number, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
    }
    guard !isConnected else { return (descriptor, 0) }
    guard errno == EINPROGRESS else { return (nil, errno) }
    return (descriptor, await descriptor.connectionOutcome(until: deadline))
  }
}

extension FileDescriptor {
  fileprivate func set(_ level: Int32, _ option: Int32) {
    var yes: Int32 = 1
    setsockopt(rawValue, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
  }
}
