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
}
