import BlemuControl
import EventLoop
import BlemuJSON
import Testing

@testable import ControlServer

/// Programs that watch.
@Suite struct WatchTests {
  @Test func `each event comes once, in order, with its message`() async throws {
    let lamp = try await ControlledLamp()
    let (watcher, client) = try (ControlConnection(to: lamp.path), ControlConnection(to: lamp.path))
    #expect(try watcher.call(.watch) == ["first": 1])
    _ = try client.call(.act, ["line": "connect"])
    _ = try client.call(.act, ["line": "> switch turn state=5"])
    let events = try (1...5).map { _ in try watcher.nextEvent() }
    #expect(events.map { $0["number"] } == [1, 2, 3, 4, 5])
    #expect(events.map { $0["event"] } == ["on-air", "connected", "write", "warning", "log"])
    #expect(events[2]["message"] == "turn")
    #expect(events[2]["fields"] == ["state": 5])
    _ = try watcher.call(.unwatch)
    _ = try client.call(.set, ["values": ["level": 1]])
    #expect(try watcher.call(.watch, ["after": 5, "format": "text"]) == ["first": 6])
    #expect(try watcher.nextEvent()["lines"]?.text?.hasSuffix("^ set level=1") == true)
    await lamp.close()
  }

  @Test func `a message in several values is an event`() async throws {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    for line in ["connect", "> stream \"go 1\"", "> stream \"2\\n\""] {
      _ = try client.call(.act, ["line": .string(line)])
    }
    _ = try client.call(
      .expect,
      [
        "lines": ["> stream \"go 1\"", "> stream \"2\\n\"", "> stream line count=12", "* \"went 12\""],
        "after": 0,
      ])
    let events = try client.call(.journal)["events"]?.elements ?? []
    let frame = events.first { $0["event"] == "frame" }
    #expect(frame?["message"] == "line")
    #expect(frame?["fields"] == ["count": 12])
    await lamp.close()
  }

  /// It is disconnected, the log says so, and the others get every event.
  @Test func `a program that does not read costs nobody an event`() async throws {
    let lamp = try await ControlledLamp()
    let silent = try RawClient(lamp.path)
    silent.send(#"{"jsonrpc": "2.0", "id": 1, "method": "watch"}"# + "\n")
    let (client, setter) = (try ControlConnection(to: lamp.path), try RawClient(lamp.path))
    let (rounds, count) = (30, 500)
    let watchers = try (0..<2).map { _ in try ControlConnection(to: lamp.path) }
    for watcher in watchers { _ = try watcher.call(.watch, ["after": 1]) }
    var numbers: [[Int]] = watchers.map { _ in [] }
    for round in 1...rounds {
      let values = (0..<count).map { ($0 + round) % 100 }
      setter.send(
        values.map { #"{"jsonrpc": "2.0", "method": "set", "params": {"values": {"level": \#($0)}}}"# + "\n" }
          .joined())
      for (index, watcher) in watchers.enumerated() {
        for _ in 0..<count { numbers[index].append(try watcher.nextEvent()["number"]?.wholeNumber ?? 0) }
      }
    }
    let warning: JSONValue = [
      "lines": ["! \"disconnected a subscriber that fell \" ..."], "within": 60_000,
      "after": 0,
    ]
    let number = try #require(try client.call(.expect, warning)["events"]?.elements?.first?.wholeNumber)
    for watcher in watchers.indices { #expect(numbers[watcher] == Array(2...rounds * count + 1)) }
    #expect(number > Journal.mostEvents)
    await lamp.close()
  }

  @Test func `a program that begins to watch a full journal gets all of it, whatever comes meanwhile`()
    async throws
  {
    let lamp = try await ControlledLamp()
    let client = try ControlConnection(to: lamp.path)
    for _ in 0..<Journal.mostEvents { _ = try client.call(.advertise, ["on": true]) }
    let watcher = try RawClient(lamp.path)
    // The device takes these lines in one turn, and so forgets as many events before it can be idle.
    let set = #"{"jsonrpc": "2.0", "method": "set", "params": {"values": {"level": 1}}}"# + "\n"
    let lines = #"{"jsonrpc": "2.0", "id": 1, "method": "watch"}"# + "\n" + String(repeating: set, count: 40)
    watcher.send(lines)
    let first = try #require(try watcher.nextLine()["result"]?["first"]?.wholeNumber)
    for number in first...first + Journal.mostEvents + 39 {
      #expect(try watcher.nextLine()["params"]?["number"]?.wholeNumber == number)
    }
    await lamp.close()
  }
}
