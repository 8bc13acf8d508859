import BusSupport
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

@EventLoop
@Suite(.timeLimit(.minutes(10)), .serialized)
struct ConnectionTests {
  @Test func `a bus that dies fails pending calls, then is reported`() async throws {
    let pair = try await Pair()
    let events = Arrivals<String>()
    pair.client.onDisconnect = { events.add("disconnected") }
    let calls = Arrivals<DeferredCall>()
    let registration = pair.service.export("/test") { calls.add(DeferredCall($0)) }
    let waiting = try DBusMessage.methodCall(
      destination: pair.service.uniqueName, path: "/test", interface: "test.Interface", member: "Wait")
    pair.client.send(waiting, timeout: .seconds(60)) { result in
      do throws(DBusError) {
        _ = try result.get()
      } catch {
        events.add("\(error.name)")
      }
    }
    _ = try await calls.wait()
    pair.bus.kill()
    #expect(try await events.wait(for: 2) == [ErrorName.disconnected, "disconnected"])
    #expect(!pair.client.isOpen)
    let failure = await error { () async throws(DBusError) in _ = try await pair.call("Late") }
    #expect(failure == .disconnected)
    _ = consume registration
  }

  @Test func `closing fails pending calls and is not reported`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let disconnections = Arrivals<Void>()
    pair.client.onDisconnect = { disconnections.add(()) }
    let calls = Arrivals<DeferredCall>()
    let registration = pair.service.export("/test") { calls.add(DeferredCall($0)) }
    let task = Task { @EventLoop in
      await error { () async throws(DBusError) in _ = try await pair.call("Wait") }
    }
    _ = try await calls.wait()
    pair.client.close()
    #expect(await task.value == .disconnected)
    #expect(disconnections.values.isEmpty)
    _ = consume registration
  }

  @Test func `a connection can be closed by the handler of its own call`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let service = pair.service
    let registration = service.export("/test") { call in
      call.reply()
      service.close()
    }
    let failure = await error { () async throws(DBusError) in _ = try await pair.call("Close") }
    #expect(failure == nil || failure?.name == ErrorName.noReply)
    _ = consume registration
  }

  @Test(arguments: ["unix:path=/nonexistent/socket", "nonsense", "", "unix:path=/dev/null"])
  func `no bus at the address is an error that names it`(address: String) async {
    let failure = await error { () async throws(DBusError) in
      _ = try await DBusConnection.connect(to: address)
    }
    guard case .cannotConnect(address, let detail) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(!detail.isEmpty)
  }

  @Test func `connecting to a bus that never answers fails at the time limit`() async throws {
    let path = "/tmp/blemu-silent-bus-\(getpid())"
    let listener = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(isBound == 0 && listen(listener.rawValue, 1) == 0)
    let failure = await error { () async throws(DBusError) in
      _ = try await DBusConnection.connect(to: "unix:path=\(path)", timeout: .milliseconds(30))
    }
    #expect(failure?.message.contains("no reply within 0.03 seconds") == true)
    unlink(path)
  }

  @Test func `a hundred connections leak nothing`() async throws {
    let bus = try PrivateBus()
    let observer = try await bus.connect()
    defer { observer.close() }
    let ends = Arrivals<Void>()
    let departures = try observer.subscribe(to: MatchRule(member: "NameOwnerChanged")) { signal in
      if (try? signal.arguments().last) == "" { ends.add(()) }
    }
    weak var last: DBusConnection?
    let read: FileDescriptor
    do {
      let pipe = try Pipe()
      read = pipe.read
      for _ in 0..<100 { last = try await connectAndSend(pipe.write, on: bus) }
    }
    _ = try await ends.wait(for: 100)
    let names = try await observer.callBus("ListNames")[0].strings
    #expect(last == nil)
    #expect(names?.sorted() == [observer.uniqueName, "org.freedesktop.DBus"])
    #expect(read.hasEnded, "a descriptor that was sent is still open")
    _ = consume departures
  }

  /// Opens a connection, uses all it has, and closes it.
  private func connectAndSend(_ descriptor: FileDescriptor, on bus: PrivateBus) async throws -> DBusConnection
  {
    let connection = try await bus.connect()
    let registration = connection.export("/a") { $0.reply() }
    let subscription = try connection.subscribe(to: MatchRule(sender: "test.Service")) { _ in }
    let reply = try await connection.call(
      destination: connection.uniqueName, path: "/a", interface: "test.Interface", member: "Take",
      [.fileDescriptor(descriptor)])
    #expect(reply == [])
    connection.close()
    _ = consume registration
    _ = consume subscription
    return connection
  }
}
