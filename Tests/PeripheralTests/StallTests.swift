import DeviceModel
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral
import Behavior

/// A stalled machine does not change what a device receives on the serial line.
@Suite struct StallTests {
  /// A module at 9600 baud (1.04 ms per byte) that reports each command.
  @EventLoop private func module(_ framing: String) async throws -> DeviceHarness {
    let device = definition(
      """
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write, notify] }] }
      framing: { wire: \(framing) }
      wire: { baud: 9600 }
      rules:
        - { on: { receive: { text: "{command: text}" }, from: wire }, do: { log: "{command}" } }
      """)
    let harness = DeviceHarness(
      off: device, wire: { PacedWire($0, baud: 9600, for: device, on: $1, scheduler: $2) })
    try await harness.peripheral.start()
    return harness
  }

  @EventLoop private func heard(by harness: DeviceHarness) -> [TrafficEvent.Kind] {
    harness.traffic.kinds.filter { kind in
      switch kind {
      case .log, .warning: true
      default: false
      }
    }
  }

  @EventLoop @Test(arguments: [1, 3, 5, 8])
  func `a stall within a command does not split it`(milliseconds: Int) async throws {
    let harness = try await module("{ idle: 10ms }")
    harness.wire.put(Array("AT+NAME?".utf8))
    harness.scheduler.advance(by: .milliseconds(milliseconds))
    harness.scheduler.stall(for: .milliseconds(30))
    harness.scheduler.advance(by: .milliseconds(20))
    #expect(heard(by: harness) == [.log("AT+NAME?")])
  }

  @EventLoop @Test(arguments: [1, 3, 5, 7, 9, 12, 40])
  func `a machine that is slow with each piece does not split a command`(milliseconds: Int) async throws {
    let harness = try await module("{ idle: 10ms }")
    harness.traffic.onEvent = { event in
      if case .wireIn = event.kind { harness.scheduler.stall(for: .milliseconds(milliseconds)) }
    }
    let command = "AT+" + String(repeating: "0123456789", count: 7)
    harness.wire.put(Array(command.utf8))
    for _ in 0..<20 { harness.scheduler.advance(by: .milliseconds(20)) }
    #expect(heard(by: harness) == [.log(command)])
  }

  @EventLoop @Test func `a stall after a command does not join it to the next one`() async throws {
    let harness = try await module("{ idle: 10ms }")
    harness.wire.put(Array("AT".utf8))
    harness.scheduler.advance(by: .milliseconds(1))
    harness.scheduler.stall(for: .milliseconds(30))
    harness.wire.put(Array("AT".utf8))
    harness.scheduler.advance(by: .milliseconds(20))
    #expect(heard(by: harness) == [.log("AT"), .log("AT")])
  }

  @EventLoop @Test func `a stall within a frame is not a silence`() async throws {
    let harness = try await module("{ delimiter: 0A, gap: 10ms }")
    harness.wire.put(Array("a frame\n".utf8))
    harness.scheduler.advance(by: .milliseconds(5))
    harness.scheduler.stall(for: .milliseconds(30))
    harness.scheduler.advance(by: .milliseconds(20))
    #expect(heard(by: harness) == [.log("a frame")])
  }

  @EventLoop @Test func `a silence on the line counts even if it is noticed late`() async throws {
    let harness = try await module("{ delimiter: 0A, gap: 10ms }")
    harness.wire.put(Array("a fr".utf8))
    harness.scheduler.advance(by: .milliseconds(3))
    harness.scheduler.stall(for: .milliseconds(12))
    harness.wire.put(Array("ame\n".utf8))
    harness.scheduler.advance(by: .milliseconds(20))
    #expect(
      heard(by: harness) == [
        .warning("not a frame: unfinished after 10 ms of silence", attribute: "wire", Array("a fr".utf8)),
        .log("ame"),
      ])
  }
}
