import Glibc

/// A socket that is connected to a device.
struct DeviceSocket: ~Copyable {
  let descriptor: Int32

  private init(flags: Int32 = 0) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags, 0)
  }

  deinit { close(descriptor) }

  /// Leaves the descriptor to the caller.
  consuming func release() -> Int32 {
    let descriptor = self.descriptor
    discard self
    return descriptor
  }

  /// Connects to the device with this name, or at this socket if there is a `/` in it.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for the connection and for each answer, whole seconds; nil: for ever.
  ///   - flags: those of the kind of a socket, see socket(2).
  static func connected(
    to name: String, patience: Int? = nil, flags: Int32 = 0
  ) throws(ControlFailure) -> DeviceSocket {
    if !name.contains("/") { try ControlFolder.check() }
    let path = ControlFolder.socket(of: name)
    guard let address = UnixAddress(path) else { throw .longPath(path) }
    let socket = DeviceSocket(flags: flags)
    if let patience { socket.limit(to: patience) }
    guard let code = socket.connect(to: address) else { return socket }
    switch code {
    // What a device that was killed has left refuses connections.
    case ENOENT, ECONNREFUSED: throw .noDevice(name, running: running)
    case EAGAIN: throw .noAnswer
    default: throw .noConnection(path, reason: String(cString: strerror(code)))
    }
  }

  private borrowing func limit(to seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Returns the number of the error; nil: it is connected.
  private borrowing func connect(to address: UnixAddress) -> Int32? {
    address.use { Glibc.connect(descriptor, $0, $1) } == 0 ? nil : errno
  }

  /// The names of the devices that answer; none if others could have put their sockets there.
  static var running: [String] {
    ((try? ControlFolder.names()) ?? []).filter { isAnswering(at: ControlFolder.socket(of: $0)) }
  }

  /// Whether a device has a socket at this path. It does not wait. A device that accepts no further connection now counts.
  static func isAnswering(at path: String) -> Bool {
    guard let address = UnixAddress(path) else { return false }
    let socket = DeviceSocket(flags: Int32(SOCK_NONBLOCK.rawValue))
    let code = socket.connect(to: address)
    return code == nil || code == EAGAIN
  }
}

extension DeviceSocket {
  /// What became of bytes that were to pass.
  enum Passage {
    case passed(Int)
    /// None pass now, or none passed within the time.
    case none
    case ended
  }

  /// Sends as many bytes as fit.
  ///
  /// - Parameter flags: those of send(2); it never raises a signal.
  borrowing func send(_ bytes: ArraySlice<UInt8>, flags: Int32 = 0) -> Passage {
    while true {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, flags | Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { return .passed(count) }
      if errno != EINTR { return errno == EAGAIN ? .none : .ended }
    }
  }

  /// Receives what is there, and waits for it if there is nothing.
  borrowing func receive(into lines: inout MessageLines, flags: Int32 = 0) -> Passage {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while true {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
        if count > 0 {
          lines.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          return .passed(count)
        }
        if count == 0 || errno != EINTR { return count < 0 && errno == EAGAIN ? .none : .ended }
      }
    }
  }
}
