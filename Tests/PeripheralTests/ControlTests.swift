import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import TestSupport
import Testing

@testable import Peripheral

/// What a person does at a device on the air.
@Suite struct ControlTests {
  private static let lamp = definition(
    """
    settings: { level: { type: integer, min: 0, max: 100, default: 50 } }
    controls: { dimmer: { set: level } }
    services:
      - uuid: FFE0
        characteristics:
          - { id: light, uuid: FFE1, properties: [read, notify], value: "{level: u8}" }
    rules: [{ on: { set: level }, do: { send: { bytes: "{level: u8}" } } }]
    """)

  @EventLoop @Test func `a setting is kept, and centrals get and read the new value`() async throws {
    let memory = FakeMemory([.integer(50)])
    let harness = try await DeviceHarness(Self.lamp, memory: memory)
    let central = harness.transport.connect()
    var values: [[UInt8]] = []
    central.onValue = { values.append($1) }
    try central.subscribe(to: 0)
    harness.peripheral.receive(.controlled(.operate(control: 0, .integer(7))))
    #expect(memory.kept == [[.integer(7)]])
    #expect(values == [[7]])
    #expect(try await central.read(0) == [7])
    #expect(harness.peripheral.context?.value(of: .setting(0)) == .integer(7))
  }

  @EventLoop @Test func `a value may go to one of several subscribers`() async throws {
    let harness = try await DeviceHarness(Self.lamp)
    let addresses = [1, 2].map { DeviceAddress([0xC0, 0, 0, 0, 0, $0])! }
    let centrals = addresses.map { harness.transport.connect($0) }
    var recipients: [Int] = []
    for (number, central) in centrals.enumerated() {
      central.onValue = { _, _ in recipients.append(number) }
      try central.subscribe(to: 0)
    }
    func send(to central: Central?) {
      harness.peripheral.receive(
        .controlled(.send([1], from: .characteristic(0), message: nil, to: central)))
    }
    send(to: addresses[1])
    #expect(recipients == [1])
    send(to: nil)
    #expect(recipients.sorted() == [0, 1, 1])
  }
}
