import Behavior
import Bluetooth
import Definitions
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import Peripheral

/// Each occurrence is finished before the next begins.
@Suite struct OrderTests {
  /// A serial module that greets each subscriber and echoes questions.
  static let device = definition(
    """
    settings: { asked: { type: integer, default: 0 } }
    messages: { hello: { text: "hello" }, echo: { text: "echo" }, ask: "3F" }
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [write, notify] }
          - { id: control, uuid: FFE2, properties: [read, write, notify, indicate] }
    wire: { bridge: serial }
    rules:
      - { on: { subscribe: serial }, do: { send: hello } }
      - on: { receive: ask, from: control }
        do: [{ set: { asked: asked + 1 } }, { send: echo }, { log: done }]
      - { on: { read: control }, if: asked > 1, do: { refuse: "0x80" } }
    """)

  @EventLoop @Test func `waiting input comes after the actions of a subscription`() async throws {
    let harness = try await DeviceHarness(Self.device)
    harness.wire.put(Array("first".utf8))
    harness.wire.put(Array("second".utf8))
    let central = harness.transport.connect()
    try central.subscribe(to: 0)
    #expect(central.takeValues(from: 0) == ["hello", "first", "second"].map { Array($0.utf8) })
  }

  @EventLoop @Test func `settings are kept before the response, which comes before the values`() async throws
  {
    let memory = FakeMemory([.integer(0)])
    let harness = try await DeviceHarness(Self.device, memory: memory)
    let central = harness.transport.connect()
    try central.subscribe(to: 1)
    var order: [String] = []
    central.onValue = { order.append(String(decoding: $1, as: UTF8.self)) }
    central.write([0x3F], to: .characteristic(1)) { order.append("\($0), \(memory.kept.count) kept") }
    #expect(order == ["accepted, 1 kept", "echo"])
  }

  @EventLoop @Test
  func `a request from within a callback gets the device's response after the current work`()
    async throws
  {
    let harness = try await DeviceHarness(Self.device)
    let central = harness.transport.connect()
    try central.subscribe(to: 1)
    var responses: [Response] = []
    var countInCallback: Int?
    central.onValue = { [unowned central] _, _ in
      central.onValue = nil
      central.write([0x3F], to: .characteristic(1)) { responses.append($0) }
      central.read(.characteristic(1)) { responses.append($0) }
      countInCallback = responses.count
    }
    try await central.write([0x3F], to: 1)
    #expect(countInCallback == 0)
    #expect(responses == [.accepted, .refused(ATTError(rawValue: 0x80))])
    #expect(harness.traffic.kinds.filter { $0 == .log("done") }.count == 2)
    let notified = TrafficEvent.Kind.notify("control", Array("echo".utf8), message: "echo")
    let kinds = harness.traffic.kinds
    let write = TrafficEvent.Kind.write(central.address, "control", [0x3F], .request, refused: nil)
    #expect(kinds.suffix(7).prefix(6) == [write, notified, .log("done"), write, notified, .log("done")])
  }

  @EventLoop @Test func `the confirmation of an indication is an event`() async throws {
    let harness = try await DeviceHarness(Self.device)
    let central = harness.transport.connect()
    try central.subscribe(to: 1, by: .indication)
    _ = harness.traffic.takeKinds()
    try await central.write([0x3F], to: 1)
    #expect(harness.traffic.kinds.contains(.indicate("control", Array("echo".utf8), message: "echo")))
  }
}
