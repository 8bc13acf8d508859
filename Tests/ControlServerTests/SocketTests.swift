import BlemuControl
import EventLoop
import Glibc
import BlemuJSON
import Synchronization
import TestSupport
import Testing

@testable import ControlServer

/// The socket, and what may come through it.
@Suite struct SocketTests {
  @Test func `only its user may connect, and it is gone at the end`() async throws {
    let lamp = try await ControlledLamp()
    #expect(lamp.folder.permissions(of: "lamp.sock") == 0o600)
    await lamp.close()
    await lamp.forget()
    #expect(lamp.folder.entries == [])
  }

  @Test @EventLoop func `a socket that a killed device has left is replaced`() throws {
    let folder = TemporaryFolder()
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #expect(UnixAddress(folder.path + "a.sock")!.use { bind(number, $0, $1) } == 0)
    close(number)
    let socket = try ControlSocket(at: folder.path + "a.sock")
    #expect(socket.descriptor.rawValue > 0)
    #expect(ControlConnection.isAnswering(at: folder.path + "a.sock"))
  }

  @Test @EventLoop func `two devices cannot have one socket`() throws {
    let folder = TemporaryFolder(["file.sock": ""])
    let first = try ControlSocket(at: folder.path + "a.sock")
    #expect(throws: ControlSocketError.inUse(folder.path + "a.sock")) {
      _ = try ControlSocket(at: folder.path + "a.sock")
    }
    #expect(throws: ControlSocketError.notSocket(folder.path + "file.sock")) {
      _ = try ControlSocket(at: folder.path + "file.sock")
    }
    let long = folder.path + String(repeating: "x", count: 100)
    #expect(throws: ControlSocketError.longPath(long)) { _ = try ControlSocket(at: long) }
    #expect(first.descriptor.rawValue > 0)
  }

  /// A test runner starts many programs at once, and a device may be busy.
  @Test @EventLoop func `many programs may connect before the device looks`() throws {
    let folder = TemporaryFolder()
    let socket = try ControlSocket(at: folder.path + "a.sock")
    let programs = (0..<64).map { _ in
      FileDescriptor(
        owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0))
    }
    let address = UnixAddress(folder.path + "a.sock")!
    #expect(programs.allSatisfy { program in address.use { connect(program.rawValue, $0, $1) } == 0 })
    #expect(socket.descriptor.rawValue > 0)
  }

  /// A socket that is bound and does not answer yet looks like one that a killed device has left.
  @Test func `a device waits for one that is just beginning to listen`() async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "a.sock"
    let lock = FileDescriptor(owning: open(folder.path, O_RDONLY))
    flock(lock.rawValue, LOCK_EX)
    let other = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    #expect(UnixAddress(path)!.use { bind(other.rawValue, $0, $1) } == 0)
    let hasEnded = Mutex(false)
    async let second = Task.detached {
      defer { hasEnded.withLock { $0 = true } }
      return try HeldSocket(path)
    }.result
    while !lock.isAwaited, !hasEnded.withLock({ $0 }) { await Task.yield() }
    listen(other.rawValue, 4)
    flock(lock.rawValue, LOCK_UN)
    let result = await second
    #expect(throws: ControlSocketError.inUse(path)) { try result.get() }
  }

  @Test(arguments: [
    ("nonsense", -32700), ("[]", -32600), ("7", -32600), (#"{"jsonrpc": "2.0", "id": 1}"#, -32600),
    (#"{"jsonrpc": "1.0", "id": 1, "method": "get"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": [1], "method": "get"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "gte"}"#, -32601),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "get", "params": []}"#, -32602),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "get", "params": {"names": [1]}}"#, -32602),
    (String(repeating: "[", count: 10_000), -32700),
  ])
  func `a bad line gets an error, and the next line an answer`(line: String, code: Int) async throws {
    let lamp = try await ControlledLamp()
    let client = try RawClient(lamp.path)
    client.send(
      line + "\n" + #"{"jsonrpc": "2.0", "id": "x", "method": "get", "params": {"names": ["level"]}}"#
        + "\r\n")
    #expect(try client.nextLine()["error"]?["code"] == .integer(code))
    #expect(try client.nextLine() == ["jsonrpc": "2.0", "id": "x", "result": ["values": ["level": 50]]])
    await lamp.close()
  }

  @Test func `a line that is too long is ignored up to its end`() async throws {
    let lamp = try await ControlledLamp()
    let client = try RawClient(lamp.path)
    let request = #"{"jsonrpc": "2.0", "id": 1, "method": "get", "params": {"names": ["level"]}}"# + "\n"
    async let sent: Void = Task.detached {
      client.send(String(repeating: "x", count: 10 << 20) + "\n" + request)
    }.value
    #expect(
      try client.nextLine()["error"]?["message"] == "a line has at most 1048576 bytes; blemu ignores this one"
    )
    #expect(try client.nextLine()["result"] == ["values": ["level": 50]])
    await sent
    await lamp.close()
  }

  @Test func `a request may come byte by byte`() async throws {
    let lamp = try await ControlledLamp()
    let client = try RawClient(lamp.path)
    for character in #"{"jsonrpc": "2.0", "id": null, "method": "get", "params": {"names": ["level"]}}"#
      + "\n"
    {
      client.send(String(character))
    }
    let answer: JSONValue = ["jsonrpc": "2.0", "id": .null, "result": ["values": ["level": 50]]]
    #expect(try client.nextLine() == answer)
    await lamp.close()
  }

  @Test func `a batch gets one answer, in its order`() async throws {
    let lamp = try await ControlledLamp()
    let client = try RawClient(lamp.path)
    client.send(
      #"[{"jsonrpc": "2.0", "id": 1, "method": "expect", "params": {"lines": ["* level == 4"], "within": 60000}}, "#
        + #"{"jsonrpc": "2.0", "method": "set", "params": {"values": {"level": 4}}}, {"x": 1}, "#
        + #"{"jsonrpc": "2.0", "id": 2, "method": "get", "params": {"names": ["level"]}}]"# + "\n")
    let answers = try client.nextLine().elements ?? []
    #expect(answers.map { $0["id"] } == [1, .null, 2])
    #expect(answers.map { $0["result"] != nil } == [true, false, true])
    await lamp.close()
  }

  @Test func `a program that does not read what it asks for is disconnected`() async throws {
    let lamp = try await ControlledLamp()
    let client = try RawClient(lamp.path)
    await lamp.log(String(repeating: "x", count: 20_000), times: 20)
    // The answer has 8 MB, of which the socket takes a part.
    let request = #"{"jsonrpc": "2.0", "id": 1, "method": "journal"}"#
    client.send("[" + repeatElement(request, count: 20).joined(separator: ", ") + "]\n")
    #expect(throws: (any Error).self, "the answer is cut off") { try client.nextLine() }
    let other = try ControlConnection(to: lamp.path)
    #expect(try other.call(.get, ["names": ["level"]]) == ["values": ["level": 50]])
    await lamp.close()
  }

  @Test func `a program may leave in the middle`() async throws {
    let lamp = try await ControlledLamp()
    for _ in 0..<200 {
      let client = try RawClient(lamp.path)
      client.send(
        #"{"jsonrpc": "2.0", "id": 1, "method": "expect", "params": {"lines": ["bond"], "within": 60000}}"#
          + "\n{")
    }
    let client = try ControlConnection(to: lamp.path)
    #expect(try client.call(.get, ["names": ["level"]]) == ["values": ["level": 50]])
    await lamp.close()
  }
}

extension FileDescriptor {
  /// Whether somebody waits to lock this file: a line of proc_locks(5) like `4: -> FLOCK ADVISORY WRITE 13 fe:00:7 0 EOF`.
  fileprivate var isAwaited: Bool {
    var file = stat()
    guard fstat(rawValue, &file) == 0, let locks = Repository.bytes(ofFile: "/proc/locks") else {
      return false
    }
    return String(decoding: locks, as: UTF8.self).split(separator: "\n").contains {
      $0.contains("-> FLOCK") && $0.contains(":\(file.st_ino) ")
    }
  }
}

private final class HeldSocket: Sendable {
  private let socket: ControlSocket

  init(_ path: String) throws { socket = try ControlSocket(at: path) }
}

/// A program that sends what it likes.
final class RawClient: Sendable {
  private let socket: FileDescriptor
  /// What has been read after the last line.
  private let unread = Mutex<ArraySlice<UInt8>>([])

  init(_ path: String) throws {
    socket = FileDescriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    let number = socket.rawValue
    guard UnixAddress(path)?.use({ connect(number, $0, $1) }) == 0 else { throw ControlFailure.ended }
  }

  func send(_ text: String) { _ = socket.write(text) }

  /// The next line, in JSON.
  func nextLine() throws -> JSONValue {
    try JSONValue(
      parsing: unread.withLock { unread in
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !unread.contains(UInt8(ascii: "\n")) {
          let count = read(socket.rawValue, &buffer, buffer.count)
          guard count > 0 else { break }
          unread += buffer.prefix(count)
        }
        let line = Array(unread.prefix { $0 != UInt8(ascii: "\n") })
        unread = unread.dropFirst(line.count + 1)
        return line
      })
  }
}
