import BlemuJSON
import Glibc
import Synchronization
import TestSupport

@testable import BlemuControl

/// A device that answers what a test wants.
final class FakeDevice: Sendable {
  private let folder = TemporaryFolder()
  private let listener: Int32
  private let connection = Mutex<Int32>(-1)
  private let received = Mutex(MessageLines())

  init() {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let number = listener
    precondition(UnixAddress(path)!.use { bind(number, $0, $1) } == 0)
    listen(listener, 4)
  }

  deinit {
    close()
    Glibc.close(listener)
  }

  var path: String { folder.path + "fake.sock" }

  /// A connection that it has not taken yet; with no room left for another one, a socket without a connection.
  func knock() -> Int32? {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let number = socket(AF_UNIX, kind, 0)
    let code = UnixAddress(path)!.use { Glibc.connect(number, $0, $1) }
    return code == 0 || errno == EAGAIN ? number : nil
  }

  /// Connects to it.
  func connect(patience: Duration = .seconds(60)) async throws -> Device {
    let device = try await Device(path, patience: patience)
    try await accept()
    return device
  }

  /// Takes the next connection in place of the last.
  func accept() async throws {
    try await onThread { [self] in
      let next = Glibc.accept(listener, nil, nil)
      connection.withLock { connection in
        if connection >= 0 { Glibc.close(connection) }
        connection = next
      }
    }
  }

  /// Refuses what is sent to it from now on.
  func stopReading() { connection.withLock { _ = shutdown($0, Int32(SHUT_RD)) } }

  /// The next request.
  func request() async throws -> JSONValue {
    try await onThread { [self] in
      while true {
        if let line = received.withLock({ $0.next() }) { return try JSONValue(parsing: line) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(connection.withLock { $0 }, &buffer, buffer.count, 0)
        guard count > 0 else { throw ControlFailure.ended }
        buffer[..<count].withUnsafeBytes { bytes in received.withLock { $0.add(bytes) } }
      }
    }
  }

  /// Sends bytes, a few at a time.
  func send(_ text: String, inPartsOf count: Int = .max) async throws {
    try await onThread { [self] in
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let part = Array(rest.prefix(count))
        let sent = Glibc.send(connection.withLock { $0 }, part, part.count, Int32(MSG_NOSIGNAL))
        guard sent > 0 else { throw ControlFailure.ended }
        rest = rest.dropFirst(sent)
      }
    }
  }

  /// Answers a request: one for a value, unless there is a result.
  func answer(
    _ request: JSONValue, _ result: JSONValue? = nil, inPartsOf count: Int = .max
  ) async throws {
    let name = request["params"]?["names"]?.elements?.first?.text ?? ""
    let result = result ?? ["values": .object([.init(name: name, value: .string("value of \(name)"))])]
    let response: JSONValue = ["jsonrpc": "2.0", "id": request["id"] ?? .null, "result": result]
    try await send(response.line + "\n", inPartsOf: count)
  }

  /// Sends the events of a watch with these numbers.
  func events(_ numbers: ClosedRange<Int>) async throws {
    try await send(String(decoding: Self.lines(ofEvents: numbers), as: UTF8.self))
  }

  static func lines(ofEvents numbers: ClosedRange<Int>) -> [UInt8] {
    numbers.flatMap {
      Array(
        #"{"jsonrpc": "2.0", "method": "event", "params": {"number": \#($0), "event": "log"}}"#.utf8 + [0x0A])
    }
  }

  /// Sends what the socket takes without waiting, and returns whether it has taken anything.
  func sendWhatFits(of bytes: inout ArraySlice<UInt8>) -> Bool {
    let count = bytes.count
    while !bytes.isEmpty {
      let sent = bytes.withUnsafeBytes {
        Glibc.send(connection.withLock { $0 }, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      guard sent > 0 else { break }
      bytes = bytes.dropFirst(sent)
    }
    return bytes.count < count
  }

  /// Ends the connection.
  func close() {
    connection.withLock { connection in
      guard connection >= 0 else { return }
      shutdown(connection, Int32(SHUT_RDWR))
      Glibc.close(connection)
      connection = -1
    }
  }
}
