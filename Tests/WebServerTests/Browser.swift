import EventLoop
import Glibc

/// A browser's end of a connection to the server, which waits for each answer.
final class Browser {
  private let socket: FileDescriptor
  private var received: ArraySlice<UInt8> = []

  init(_ port: UInt16) {
    socket = FileDescriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      socket.rawValue, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(code == 0, "the server listens")
  }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  struct Ended: Error {}

  /// The next bytes.
  func read(_ count: Int) throws -> [UInt8] {
    while received.count < count { try readMore() }
    defer { received = received.dropFirst(count) }
    return Array(received.prefix(count))
  }

  private func readMore() throws {
    let size = 1 << 20
    let more = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      count = max(0, recv(socket.rawValue, bytes.baseAddress, size, 0))
    }
    guard !more.isEmpty else { throw Ended() }
    received = received + more
  }

  /// Whether the server has closed the connection, and nothing more comes.
  var hasEnded: Bool { (try? read(1)) == nil }
}

// MARK: HTTP

extension Browser {
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: String
  }

  func request(_ method: String, _ target: String, _ headers: [String: String]) {
    let lines = ["\(method) \(target) HTTP/1.1"] + headers.map { "\($0.key): \($0.value)" } + ["", ""]
    write(Array(lines.joined(separator: "\r\n").utf8))
  }

  func answer(hasBody: Bool = true) throws -> Answer {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try read(1) }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    let count = hasBody ? Int(headers["content-length"] ?? "0") ?? 0 : 0
    return Answer(
      status: Int(lines[0].split(separator: " ")[1]) ?? 0, headers: headers,
      body: String(decoding: try read(count), as: UTF8.self))
  }
}

// MARK: WebSocket

extension Browser {
  func send(_ text: String, kind: UInt8 = 0x81) { write(Self.frame(Array(text.utf8), kind: kind)) }

  static func frame(_ payload: [UInt8], kind: UInt8 = 0x81) -> [UInt8] {
    let count = payload.count
    let size = count < 126 ? 0 : count < 65536 ? 2 : 8
    let length: UInt8 = size == 0 ? UInt8(count) : size == 2 ? 126 : 127
    let digits = (0..<size).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
    let masked = payload.indices.map { payload[$0] ^ mask[$0 & 3] }
    return [kind, 0x80 | length] + digits + mask + masked
  }

  /// The next frame: its first byte, and what it carries.
  func frame() throws -> (kind: UInt8, payload: [UInt8]) {
    let head = try read(2)
    let size = head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0
    let count = size == 0 ? Int(head[1]) : try read(size).reduce(0) { $0 << 8 | Int($1) }
    return (head[0], try read(count))
  }

  func text() throws -> String {
    let frame = try frame()
    return frame.kind == 0x81 ? String(decoding: frame.payload, as: UTF8.self) : "frame \(frame)"
  }

  /// Why the server closes the WebSocket. Answers, and waits for the end.
  func close() throws -> (code: Int, reason: String) {
    let (kind, payload) = try frame()
    guard kind == 0x88, payload.count >= 2 else { return (0, "frame \(kind) \(payload)") }
    write(Self.frame(Array(payload.prefix(2)), kind: 0x88))
    guard hasEnded else { return (0, "the connection goes on") }
    return (
      Int(payload[0]) << 8 | Int(payload[1]), String(decoding: payload.dropFirst(2), as: UTF8.self)
    )
  }
}
