import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct CallTests {
  @Test func `a method call is answered with its own arguments`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export("/test") { call in
      var reader = call.reader()
      do throws(DBusError) {
        let arguments: [DBusValue] = [.string(try reader.string()), .uint16(try reader.uint16())]
        call.reply(arguments)
      } catch {
        call.fail(error)
      }
    }
    #expect(try await pair.call("Echo", ["hi", .uint16(7)]) == ["hi", .uint16(7)])
    #expect(
      await error { () async throws(DBusError) in _ = try await pair.call("Echo", [.uint16(7)]) }
        == .remote(name: ErrorName.invalidArguments, message: "expected 's', found 'q'"))
    _ = consume registration
    #expect(
      await error { () async throws(DBusError) in _ = try await pair.call("Echo") }
        == .remote(name: ErrorName.unknownObject, message: "no object at /test"))
  }

  @Test func `callers in turn get their own replies`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let other = try await pair.bus.connect()
    defer { other.close() }
    let registration = pair.service.export("/test") { call in
      var reader = call.reader()
      if let number = try? reader.uint32() { call.reply([.uint32(number)]) } else { call.reply() }
    }
    for number: UInt32 in 0..<12 {
      let arguments: [DBusValue] = number % 2 == 0 ? [.uint32(number)] : []
      let reply = try await (number % 3 == 0 ? other : pair.client).call(
        destination: pair.service.uniqueName, path: "/test", interface: "test.Interface", member: "Echo",
        arguments)
      #expect(reply == arguments)
    }
    _ = consume registration
  }

  @Test func `two connections call each other at the same time`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let client = pair.client
    let name = client.uniqueName
    // The service asks its caller back before it answers, as org.bluez does at RegisterApplication.
    let served = pair.service.export("/test") { call in
      let deferred = DeferredCall(call)
      Task { @EventLoop in
        let answer = try await pair.service.call(
          destination: name, path: "/back", interface: "test.Back", member: "Ask")
        deferred.take()?.reply(answer)
      }
    }
    let asked = client.export("/back") { $0.reply([.int32(-5)]) }
    #expect(try await pair.call("Ask") == [.int32(-5)])
    _ = consume served
    _ = consume asked
  }

  @Test func `an error reply has a name and a message`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export("/test") {
      $0.fail(name: "org.bluez.Error.Failed", message: "0x80")
    }
    let failure = await error { () async throws(DBusError) in _ = try await pair.call("Fail") }
    #expect(failure == .remote(name: "org.bluez.Error.Failed", message: "0x80"))
    #expect(failure?.name == "org.bluez.Error.Failed" && failure?.message == "0x80")
    _ = consume registration
  }

  @Test func `a call that is dropped answers with an error`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export("/test") { _ = consume $0 }
    let failure = await error { () async throws(DBusError) in _ = try await pair.call("Drop") }
    #expect(failure == .remote(name: ErrorName.failed, message: "the call was not answered"))
    _ = consume registration
  }

  @Test func `a call without a reply fails at its time limit`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    var kept: DeferredCall?
    let keep: @EventLoop (DeferredCall) -> Void = { kept = $0 }
    let registration = pair.service.export("/test") { keep(DeferredCall($0)) }
    let start = EventLoop.now
    let failure = await error { () async throws(DBusError) in
      _ = try await pair.call("Wait", timeout: .milliseconds(50))
    }
    #expect(failure == .timedOut(after: .milliseconds(50)))
    #expect(EventLoop.now - start >= 49_000)
    kept?.take()?.reply()
    _ = consume registration
  }

  @Test func `calls end once after the loop was held up past their time limit`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let registration = pair.service.export("/test") { $0.reply() }
    let results = Arrivals<String>()
    let calls = (0..<20).map { _ in
      Task { @EventLoop in
        let failure = await error { () async throws(DBusError) in
          _ = try await pair.call("Ask", timeout: .milliseconds(20))
        }
        results.add(failure?.name ?? "reply")
      }
    }
    // Lets the calls be sent, then nothing else happen until all are overdue.
    _ = try await pair.client.callBus("GetId")
    usleep(40_000)
    _ = try await results.wait(for: calls.count)
    #expect(results.values.count == calls.count)
    _ = consume registration
  }

  @Test func `a call whose task is cancelled ends at once`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let calls = Arrivals<DeferredCall>()
    let registration = pair.service.export("/test") { calls.add(DeferredCall($0)) }
    let task = Task { @EventLoop in
      await error { () async throws(DBusError) in _ = try await pair.call("Wait") }
    }
    _ = try await calls.wait()
    task.cancel()
    #expect(await task.value == .cancelled)
    let late = Task { @EventLoop in
      withUnsafeCurrentTask { $0?.cancel() }
      return await error { () async throws(DBusError) in _ = try await pair.call("Wait") }
    }
    #expect(await late.value == .cancelled)
    _ = consume registration
  }

  @Test func `calls that the bus refuses have a reason`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let unknown = await error { () async throws(DBusError) in
      _ = try await pair.client.call(
        destination: "test.Nobody", path: "/", interface: "test.Interface", member: "Ask")
    }
    #expect(unknown?.isServiceUnknown == true)
    let denied = await error { () async throws(DBusError) in
      _ = try await pair.call("Ask", interface: "test.Forbidden")
    }
    #expect(denied?.isAccessDenied == true)
  }

  @Test(arguments: ["", "no dots", "test..Name", "a\0.b"])
  func `a name that is not valid never reaches libdbus`(name: String) async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let failure = await error { () async throws(DBusError) in
      _ = try await pair.client.call(
        destination: name, path: "/", interface: "test.Interface", member: "Ask")
    }
    #expect(failure == .invalid(what: "a bus name", value: name))
  }

  @Test func `ten thousand messages arrive in order`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let count: UInt32 = 10_000
    let received = Arrivals<UInt32>()
    let registration = pair.service.export("/test") { call in
      var reader = call.reader()
      if let number = try? reader.uint32() { received.add(number) }
      call.reply()
    }
    for number in 0..<count {
      pair.client.send(
        try .methodCall(
          destination: pair.service.uniqueName, path: "/test", interface: "test.Interface",
          member: "Count", arguments: [.uint32(number)]))
    }
    #expect(try await received.wait(for: Int(count)) == Array(0..<count))
    _ = consume registration
  }

  @Test func `a call without an expected reply gets none`() async throws {
    let pair = try await Pair()
    defer { pair.close() }
    let expectations = Arrivals<Bool>()
    let registration = pair.service.export("/test") { call in
      expectations.add(call.expectsReply)
      call.reply([.bytes([1])])
    }
    pair.client.send(
      try .methodCall(
        destination: pair.service.uniqueName, path: "/test", interface: "test.Interface", member: "Tell"))
    _ = try await pair.call("Ask")
    #expect(expectations.values == [false, true])
    _ = consume registration
  }
}
