import Bluetooth
import DeviceModel
import EventLoop
import TestSupport
import Testing

@testable import Peripheral

/// Settings over a power cycle.
@Suite struct MemoryTests {
  static let lamp = definition(
    """
    settings: { local-name: { type: text, max: 12, default: Lamp } }
    advertisement: { local-name: "{local-name}" }
    messages: { name: { text: "N{name: text(0..20)}" }, restore: { text: "R" } }
    rules:
      - { on: { receive: name }, do: { set: { local-name: name } } }
      - { on: { receive: restore }, do: restore-settings }
    services:
      - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write] }] }
    """)

  @EventLoop @Test func `a device begins with the kept settings`() async throws {
    let memory = FakeMemory([.text("Kept")])
    let harness = try await DeviceHarness(Self.lamp, settings: [.text("Given")], memory: memory)
    #expect(harness.transport.device?.advertisement?.localName == "Kept")
    #expect(memory.kept == [])
    try await harness.transport.connect().write(Array("R".utf8), to: 0)
    #expect(memory.kept == [[.text("Given")]])
  }

  @EventLoop @Test func `settings that rules change are kept, and a problem is shown`() async throws {
    let memory = FakeMemory([.text("Lamp")])
    let harness = try await DeviceHarness(Self.lamp, memory: memory)
    let central = harness.transport.connect()
    try await central.write(Array("NDemo".utf8), to: 0)
    try await central.write(Array("Nmore than twelve".utf8), to: 0)
    #expect(memory.kept == [[.text("Demo")]])
    memory.problem = "the flash is worn out"
    _ = harness.traffic.takeKinds()
    try await central.write(Array("NBulb".utf8), to: 0)
    #expect(harness.traffic.kinds.last == .warning("the flash is worn out", attribute: nil, []))
    #expect(memory.kept.last == [.text("Bulb")])
  }

  private static let address = DeviceAddress("50:8C:B1:6A:7C:AB")!
  private static let other = DeviceAddress("50:8C:B1:6A:7C:AC")!
  private static let bond = Bond(with: LinkAddress(other), configurations: ["FFE1": 1])

  @EventLoop @Test func `a device has the bonds of its address, and keeps those that it makes`() async throws
  {
    let memory = FakeMemory([.text("Lamp")])
    memory.bonds = [Self.address: [Self.bond], Self.other: []]
    let harness = try await DeviceHarness(Self.lamp, memory: memory)
    #expect(harness.transport.device?.bonds == [Self.bond])
    #expect(harness.transport.device?.forgottenBonds == [])
    memory.problem = "the flash is worn out"
    harness.peripheral.keep([])
    #expect(memory.bonds == [Self.address: [], Self.other: []])
    #expect(harness.traffic.kinds.last == .warning("the flash is worn out", attribute: nil, []))
  }

  @EventLoop @Test func `a device that forgets its bonds begins without them`() async throws {
    let memory = FakeMemory([.text("Lamp")])
    memory.bonds = [Self.address: [Self.bond], Self.other: [Self.bond]]
    let harness = try await DeviceHarness(Self.lamp, memory: memory, forgetsBonds: true)
    #expect(harness.transport.device?.bonds == [])
    #expect(harness.transport.device?.forgottenBonds == [Self.bond])
    #expect(memory.bonds == [:])
  }
}
