import Glibc
import BlemuJSON

/// Why a device cannot be asked.
package enum ControlFailure: Error, Hashable, Sendable {
  /// No device has this name. With the names of those that run.
  case noDevice(String, running: [String])
  /// The socket's path has more bytes than a Unix socket may have.
  case longPath(String)
  /// The kernel's reason, as in `Permission denied`.
  case noConnection(String, reason: String)
  /// The device has ended, or has closed the connection.
  case ended
  /// The device has not answered in time: it may be stopped.
  case noAnswer
  /// What came is no answer of this protocol.
  case notUnderstood(String)
  /// The device's own answer.
  case refused(ControlError)
}

/// A connection to a running device. It waits for each answer.
package final class ControlConnection {
  private let socket: Int32
  private var received: [UInt8] = []
  private var count = 0
  /// Notifications that came while an answer was awaited.
  private var notifications: [JSONValue] = []

  /// Connects to the device with this name, or at this socket if there is a `/` in it.
  ///
  /// - Parameter patience: how long to wait for each answer, whole seconds; nil: for ever.
  package init(to name: String, patience: Int? = nil) throws(ControlFailure) {
    let path = ControlFolder.socket(of: name)
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard let address = UnixAddress(path) else {
      close(socket)
      throw .longPath(path)
    }
    guard address.use({ connect(socket, $0, $1) }) == 0 else {
      let code = errno
      close(socket)
      // What a device that was killed has left refuses connections.
      if code == ENOENT || code == ECONNREFUSED { throw .noDevice(name, running: Self.running) }
      throw .noConnection(path, reason: String(cString: strerror(code)))
    }
    if let patience {
      var time = timeval(tv_sec: patience, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close(socket) }

  /// The names of the devices that answer.
  package static var running: [String] {
    ControlFolder.names.filter { isAnswering(at: ControlFolder.socket(of: $0)) }
  }

  /// Whether a device has a socket at this path.
  package static func isAnswering(at path: String) -> Bool {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    return UnixAddress(path)?.use { connect(socket, $0, $1) } == 0
  }
}

extension ControlConnection {
  /// Asks for something, and waits for the answer.
  ///
  /// - Parameter parameters: an object.
  /// - Throws: ``ControlFailure/refused(_:)`` if the device refuses.
  package func call(_ method: ControlMethod, _ parameters: JSONValue = [:]) throws(ControlFailure)
    -> JSONValue
  {
    count += 1
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": .integer(count), "method": .string(method.rawValue), "params": parameters,
    ]
    try send(request.line + "\n")
    while true {
      let message = try nextMessage()
      if message["method"] != nil {
        notifications.append(message)
        continue
      }
      if let error = message["error"].flatMap(ControlError.init) { throw .refused(error) }
      guard message["id"] == .integer(count), let result = message["result"] else {
        throw .notUnderstood(message.line)
      }
      return result
    }
  }

  /// Waits for the next event of a watch, and returns its parameters.
  package func nextEvent() throws(ControlFailure) -> JSONValue {
    let message = notifications.isEmpty ? try nextMessage() : notifications.removeFirst()
    guard message["method"] == "event", let event = message["params"] else {
      throw .notUnderstood(message.line)
    }
    return event
  }

  private func send(_ text: String) throws(ControlFailure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno != EINTR { throw .ended }
      bytes = bytes.dropFirst(max(0, count))
    }
  }

  private func nextMessage() throws(ControlFailure) -> JSONValue {
    let line = try nextLine()
    do { return try JSONValue(parsing: line) } catch {
      throw .notUnderstood(String(decoding: line.prefix(200), as: UTF8.self))
    }
  }

  private func nextLine() throws(ControlFailure) -> [UInt8] {
    var searched = 0
    while true {
      if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeFirst(end + 1) }
        return Array(received[..<end])
      }
      searched = received.count
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
      if count < 0, errno == EAGAIN { throw .noAnswer }
      if count == 0 || (count < 0 && errno != EINTR) { throw .ended }
      received += buffer[..<max(0, count)]
    }
  }
}
