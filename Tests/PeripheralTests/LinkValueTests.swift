import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import Loopback
@testable import Peripheral

/// What expressions say of links and handles.
@EventLoop @Suite struct LinkValueTests {
  private static let device = """
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [write, notify] }
          - { id: extra, uuid: FFE2, properties: [read], if: has-extra }
          - id: table
            uuid: FFE3
            properties: [read]
            value: "{handle(serial): u16le} {handle('serial/2902'): u16le} {handle(table): u16le}"
            descriptors:
              - { uuid: 2901, value: "{handle('table/2901'): u16le}" }
    settings:
      has-extra: { type: boolean, default: false }
    wire: { bridge: serial }
    rules:
      - { on: connect, do: { log: "connected {text(mtu)}" } }
      - { on: disconnect, do: [{ log: "was {text(mtu)} {text(encrypted)}" }, { wait: 1s }, { log: "{reason}" }] }
      - on: { receive: { text: W } }
        do: [{ wait: 1s }, { log: "waited {text(mtu)}" }]
      - on: { receive: { text: S } }
        do: { start: tick, after: 1s }
      - on: { receive: { text: X } }
        do: [{ set: { has-extra: true } }, reset]
      - { on: start, do: { log: "extra {text(handle(extra))}" } }
      - { on: { receive: any }, do: { log: "{text(mtu)} {text(encrypted)}" } }
      - { on: { timer: tick }, do: { log: "tick {text(mtu)}" } }
    """

  private let other = DeviceAddress([0, 0, 0, 0, 0, 3])!

  private func logged(_ harness: DeviceHarness) -> [String] {
    harness.traffic.takeKinds().compactMap { if case .log(let text) = $0 { text } else { nil } }
  }

  @Test func `a rule has the values of its central's link`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    let (first, second) = (harness.transport.connect(mtu: 185), harness.transport.connect(other))
    #expect(logged(harness) == ["extra 0", "connected 23", "connected 23"])
    first.link.pair(PairingRequest()) { #expect($0 == .paired(bonded: false)) }
    for central in [first, second] { try await central.write([1], to: 0) }
    #expect(logged(harness) == ["185 true", "23 false"])
    first.disconnect()
    #expect(logged(harness) == ["was 185 true"])
  }

  @Test func `a rule that has waited has its central's link, a timer the last one`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    let first = harness.transport.connect()
    _ = harness.transport.connect(other, mtu: 100)
    try await first.write(Array("W".utf8), to: 0)
    try await first.write(Array("S".utf8), to: 0)
    first.exchange(mtu: 50)
    _ = logged(harness)
    harness.scheduler.advance(by: .seconds(1))
    #expect(logged(harness) == ["waited 50", "tick 100"])
  }

  @Test(arguments: [HCIError.remoteUserTerminated, .supervisionTimeout, HCIError(rawValue: 0x2E)])
  func `a rule has the reason for which a central has left`(reason: HCIError) async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    harness.transport.connect().disconnect(reason)
    harness.scheduler.advance(by: .seconds(1))
    #expect(logged(harness).last == reason.name)
  }

  @Test func `a link that the device ends has ended locally`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    try await harness.transport.connect().write(Array("X".utf8), to: 0)  // a reset
    harness.scheduler.advance(by: .seconds(1))
    #expect(logged(harness).last == "local-host")
  }

  @Test func `handles are those of the attributes that there are`() async throws {
    let harness = try await DeviceHarness(definition(Self.device))
    let central = harness.transport.connect()
    // FFE1 has 0x000C and its 2902 0x000D; FFE3 has 0x000F, and 0x0011 next to FFE2.
    #expect(try await central.read(2) == [0x0C, 0, 0x0D, 0, 0x0F, 0])
    #expect(try await central.read(.descriptor(0, of: 2)) == [0x10, 0])
    _ = logged(harness)
    try await central.write(Array("X".utf8), to: 0)
    #expect(logged(harness).contains("extra 15"))
    let next = harness.transport.connect()
    #expect(try await next.read(2) == [0x0C, 0, 0x0D, 0, 0x11, 0])
  }
}
