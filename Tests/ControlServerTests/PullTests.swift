import BlemuControl
import EventLoop
import BlemuJSON
import Testing

@testable import ControlServer

/// Programs that ask for the journal again and again.
@Suite struct PullTests {
  @Test func `a request for what has not come waits for it`() async throws {
    let lamp = try await ControlledLamp()
    let puller = try RawClient(lamp.path)
    let client = try ControlConnection(to: lamp.path)
    let last = try #require(try client.call(.status)["events"]?.wholeNumber)
    puller.send(
      #"{"jsonrpc": "2.0", "id": 1, "method": "journal", "params": {"after": \#(last), "wait": 30000}}"#
        + "\n")
    // The session answers in order: with this answer, the first request is known to wait.
    puller.send(#"{"jsonrpc": "2.0", "id": 2, "method": "status"}"# + "\n")
    #expect(try puller.nextLine()["id"] == 2)
    _ = try client.call(.act, ["line": "connect"])
    _ = try client.call(.act, ["line": "subscribe switch"])
    let answer = try puller.nextLine()
    #expect(answer["id"] == 1)
    #expect(answer["result"]?["events"]?.elements?.first?["event"] == "connected")
    await lamp.close()
  }

  @Test func `what has come is answered at once, and nothing after the time is over`() async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    let first = try client.call(.journal, ["wait": 30_000])
    #expect(first["events"]?.elements?.count == 1)
    let next = try client.call(.journal, ["after": first["after"] ?? 0, "wait": 1])
    #expect(next["events"] == [])
    #expect(next["after"] == first["after"])
    await lamp.close()
  }

  @Test func `a program that has ended waits for nothing`() async throws {
    let lamp = try await ControlledLamp()
    do {
      let puller = try RawClient(lamp.path)
      puller.send(
        #"{"jsonrpc": "2.0", "id": 1, "method": "journal", "params": {"after": 99, "wait": 30000}}"# + "\n")
      puller.send(#"{"jsonrpc": "2.0", "id": 2, "method": "status"}"# + "\n")
      #expect(try puller.nextLine()["id"] == 2)
    }
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.act, ["line": "connect"])
    #expect(try client.call(.journal, ["after": 1, "wait": 30_000])["events"]?.elements?.count == 1)
    await lamp.close()
  }
}

/// What programs have expected, as an interface sees it.
@Suite struct ExpectationHistoryTests {
  private func expectations(_ client: ControlConnection) throws -> [JSONValue] {
    try client.call(.expectations)["expectations"]?.elements ?? []
  }

  @Test func `each has its state, and what has met it or why it has failed`() async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.act, ["line": "connect"])
    _ = try client.call(.expect, ["lines": ["connect"]])
    #expect(throws: ControlFailure.self) { try client.call(.expect, ["lines": ["disconnect"]]) }
    let other = try RawClient(lamp.path)
    other.send(
      #"{"jsonrpc": "2.0", "id": 1, "method": "expect", "params": {"lines": ["disconnect"], "within": 86400000}}"#
        + "\n")
    other.send(#"{"jsonrpc": "2.0", "id": 2, "method": "status"}"# + "\n")
    #expect(try other.nextLine()["id"] == 2)
    var all = try expectations(client)
    #expect(all.map { $0["state"] } == ["met", "failed", "waiting"])
    #expect(all.map { $0["number"] } == [1, 2, 3])
    #expect(all.map { $0["lines"] } == [["connect"], ["disconnect"], ["disconnect"]])
    #expect(all[0]["events"] == [2])
    #expect(all[1]["message"] == "'disconnect' did not come")
    #expect(all[1]["comparison"]?.text?.contains("->       disconnect") == true)
    #expect(all[2]["within"] == 86_400_000)
    #expect(all[2]["took"] == nil)
    _ = try client.call(.act, ["line": "disconnect"])
    #expect(try other.nextLine()["id"] == 1)
    all = try expectations(client)
    #expect(all[2]["state"] == "met")
    #expect(all[2]["took"] != nil)
    await lamp.close()
  }

  @Test func `the last hundred are kept`() async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    for _ in 0..<103 { _ = try client.call(.expect, ["lines": ["press button"], "at-most": 0]) }
    let all = try expectations(client)
    #expect(all.count == 100)
    #expect((all.first?["number"], all.last?["number"]) == (4, 103))
    await lamp.close()
  }

  /// A program may take the answer as one line, whatever was expected.
  @Test func `of many lines and many events, some are kept`() async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    for _ in 0..<300 { _ = try client.call(.press, ["control": "button"]) }
    _ = try client.call(.expect, ["lines": ["press button"], "at-least": 300, "after": 0])
    let long = JSONValue.string("* \"\(String(repeating: "x", count: 5000))\"")
    #expect(throws: ControlFailure.self) {
      try client.call(.expect, ["lines": .array(Array(repeating: long, count: 40))])
    }
    let all = try expectations(client)
    #expect(all[0]["count"] == 300)
    #expect(all[0]["events"]?.elements?.count == 100)
    #expect(all[1]["lines"]?.elements?.count == 20)
    #expect(all[1].line.utf8.count < 40_000)
    await lamp.close()
  }

  @Test func `one whose program has ended is withdrawn`() async throws {
    let lamp = try await ControlledLamp()
    do {
      let other = try RawClient(lamp.path)
      other.send(
        #"{"jsonrpc": "2.0", "id": 1, "method": "expect", "params": {"lines": ["disconnect"], "within": 86400000}}"#
          + "\n")
      other.send(#"{"jsonrpc": "2.0", "id": 2, "method": "status"}"# + "\n")
      #expect(try other.nextLine()["id"] == 2)
    }
    let client = try ControlConnection(to: lamp.path)
    while try expectations(client).first?["state"] == "waiting" {}
    #expect(try expectations(client).map { $0["state"] } == ["withdrawn"])
    await lamp.close()
  }
}
