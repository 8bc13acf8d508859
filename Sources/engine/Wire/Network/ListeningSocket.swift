import EventLoop
import Glibc

/// A listening TCP socket. Only the lookup of a host name blocks.
struct ListeningSocket {
  let descriptor: FileDescriptor
  /// The address, as in `127.0.0.1:4000`.
  let name: String

  init(at place: SocketPlace) throws(WireError) {
    // A larger buffer would only hide the number of waiting bytes.
    do throws(ListeningFailure) { descriptor = try place.listen(receiveBuffer: 1 << 15) } catch {
      throw WireError(error, at: place)
    }
    name = Self.name(getsockname, of: descriptor.rawValue)
  }

  /// Accepts a connection and returns it with the peer's name; nil with `errno` if there is none.
  func accept() -> (FileDescriptor, String)? {
    let number = Glibc.accept(descriptor.rawValue, nil, nil)
    guard number >= 0 else { return nil }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    let peer = FileDescriptor(owning: number)
    Self.set(SO_KEEPALIVE, of: number, to: 1)
    var yes: Int32 = 1
    setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    return (peer, Self.name(getpeername, of: number))
  }

  private static func set(_ option: Int32, of socket: Int32, to value: Int32) {
    var value = value
    setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

extension WireError {
  fileprivate init(_ failure: ListeningFailure, at place: SocketPlace) {
    switch failure {
    case .unknownHost(let reason):
      self.init(
        message: "cannot find the host '\(place.host)': \(reason)",
        hint: "use one of this machine's own addresses, as in 127.0.0.1:\(place.port)")
    case .refused(let code):
      self.init(
        message: "cannot listen on \(place.host), port \(place.port): \(String(cString: strerror(code)))",
        hint: "choose a free port, or 0 for any; ports below 1024 need root")
    }
  }
}

// MARK: Names

extension ListeningSocket {
  private typealias AddressOf = (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) ->
    Int32

  /// `127.0.0.1:4000`, or `[::1]:4000`.
  private static func name(_ address: AddressOf, of socket: Int32) -> String {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: 64)
    var port = [CChar](repeating: 0, count: 8)
    let isNamed = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        address(socket, $0, &length) == 0
          && getnameinfo(
            $0, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
            NI_NUMERICHOST | NI_NUMERICSERV) == 0
      }
    }
    guard isNamed else { return "unknown peer" }
    let (hostName, portName) = (text(host), text(port))
    return hostName.contains(":") ? "[\(hostName)]:\(portName)" : "\(hostName):\(portName)"
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
