import BlemuControl
import BlemuJSON
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import ControlServer

/// A device in memory whose clock is advanced.
@Suite struct AdvanceTests {
  private static let clock = TestSupport.definition(
    """
    variables: { minutes: { type: integer, default: 0 } }
    services:
      - { uuid: FFE0, characteristics: [{ id: time, uuid: FFE1, properties: [read, notify] }] }
    messages: { now: "{minutes: u16be}" }
    rules:
      - { on: start, do: [{ start: minute, every: 1min }, { start: alarm, after: 90s }] }
      - on: { timer: minute }
        do: [{ set: { minutes: minutes + 1 } }, { send: now, to: time }]
      - { on: { timer: alarm }, do: [{ log: it rings }, { start: second, every: 1s }] }
      - { on: { timer: second }, do: { log: tick } }
    """)

  private func with(_ body: (ControlConnection, ControlledLamp) async throws -> Void) async throws {
    let device = try await ControlledLamp(Self.clock, on: AdvancingScheduler())
    let client = try ControlConnection(to: device.path)
    for line in ["connect", "subscribe time"] { _ = try client.call(.act, ["line": .string(line)]) }
    try await body(client, device)
    await device.close()
  }

  @Test func `timers fire in their order and at their own times`() async throws {
    try await with { client, device in
      let outcome = try client.call(.advance, ["by": 121_000])
      #expect(outcome["warnings"] == [])
      let start = try #require(await device.journal.entries(after: 0).first).event.time
      let entries = await device.journal.entries(after: outcome["after"]?.wholeNumber ?? 0)
      var seen: [String] = []
      for entry in entries.prefix(6) {
        // The timers have started a little after the device.
        let seconds = start.milliseconds(to: entry.event.time) / 1000
        switch entry.event.kind {
        case .notify(_, let value, _): seen.append("\(seconds) notify \(value[1])")
        case .log(let text): seen.append("\(seconds) \(text)")
        case .controlled(let operation): seen.append(operation.words)
        default: break
        }
      }
      #expect(
        seen == ["advance 121s", "60 notify 1", "90 it rings", "91 tick", "92 tick", "93 tick"])
      #expect(try client.call(.get, ["names": ["minutes"]]) == ["values": ["minutes": 2]])
      _ = try client.call(.expect, ["lines": ["< time now minutes=1", "* \"tick\"", "< time now minutes=2"]])
      #expect(try client.call(.status)["milliseconds"]?.wholeNumber ?? 0 >= 121_000)
    }
  }

  @Test func `the clock runs on from there`() async throws {
    try await with { client, device in
      _ = try client.call(.advance, ["by": 90_900])
      _ = try client.call(.expect, ["lines": ["* \"it rings\""]])
      // The next tick comes in real time.
      _ = try client.call(.expect, ["lines": ["* \"tick\""], "within": 60_000])
    }
  }

  /// The journal keeps fewer events than there are.
  @Test func `an expectation sees each event of a long time`() async throws {
    try await with { client, device in
      let waiting = try RawClient(device.path)
      waiting.send(
        #"{"jsonrpc": "2.0", "id": 1, "method": "expect", "params": {"lines": ["* \"tick\""], "#
          + #""at-least": 30000, "within": 600000}}"# + "\n")
      waiting.send(#"{"jsonrpc": "2.0", "id": 2, "method": "status"}"# + "\n")
      #expect(try waiting.nextLine()["id"] == 2)
      _ = try client.call(.advance, ["by": 31_000_000])
      #expect(try waiting.nextLine()["result"]?["events"]?.elements?.count == 30_000)
    }
  }

  @Test func `a second advance goes on where the first ends`() async throws {
    try await with { client, device in
      let program = try RawClient(device.path)
      for id in 1...2 {
        program.send(
          #"{"jsonrpc": "2.0", "id": \#(id), "method": "advance", "params": {"by": 3600000}}"# + "\n")
      }
      for id in 1...2 { #expect(try program.nextLine()["id"] == .integer(id)) }
      #expect(try client.call(.get, ["names": ["minutes"]]) == ["values": ["minutes": 120]])
    }
  }

  @Test func `a transcript of it waits as long`() async throws {
    let lamp = try await ControlledLamp(on: AdvancingScheduler())
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.act, ["line": "connect"])
    _ = try client.call(.advance, ["by": 600_000])
    _ = try client.call(.act, ["line": "read level"])
    let journal = try client.call(.journal, ["format": "transcript"])
    let lines = (journal["events"]?.elements ?? []).compactMap(\.text).flatMap { $0.split(separator: "\n") }
    #expect(lines.contains("# advance 10min"))
    // Ten minutes, and what the test itself has taken: perhaps not a millisecond.
    #expect(lines.contains { $0.hasPrefix("+60") || $0 == "+10min" })
    await lamp.close()
  }
}

/// The clock of a device in memory.
@Suite struct AdvancingSchedulerTests {
  @EventLoop @Test func `calls come in the order of their times, and see these`() async {
    let scheduler = AdvancingScheduler()
    let start = scheduler.now
    var calls: [String] = []
    var kept: [AnyObject] = []
    func schedule(_ name: String, _ seconds: Int, _ body: @escaping @EventLoop () -> Void = {}) {
      kept.append(
        scheduler.schedule(at: start.advanced(by: .seconds(seconds))) {
          calls.append("\(name) \(start.milliseconds(to: scheduler.now))")
          body()
        })
    }
    for (name, seconds) in [("c", 30), ("b", 20), ("b2", 20), ("late", 90)] { schedule(name, seconds) }
    schedule("a", 10) { schedule("nested", 15) }
    _ = scheduler.schedule(at: start.advanced(by: .seconds(5))) { calls.append("released") }
    // On a busy machine, the calls may take more than a slice of the event loop.
    let done = Promise<Void>()
    scheduler.advance(by: .seconds(60)) { done.fulfil() }
    await done.value()
    #expect(calls == ["a 10000", "nested 15000", "b 20000", "b2 20000", "c 30000"])
    #expect(start.duration(to: scheduler.now) >= .seconds(60))
    #expect(start.duration(to: scheduler.now) < .seconds(90))
    withExtendedLifetime(kept) {}
  }

  @EventLoop @Test func `a call that is due after the advance comes in real time`() async {
    let called = Promise<Void>()
    let scheduler = AdvancingScheduler()
    let call = scheduler.schedule(at: scheduler.now.advanced(by: .milliseconds(3_600_010))) {
      called.fulfil()
    }
    scheduler.advance(by: .seconds(3600)) {}
    await called.value()
    withExtendedLifetime(call) {}
  }
}
