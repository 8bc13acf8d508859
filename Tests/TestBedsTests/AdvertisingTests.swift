import DeviceModel
import Testing
import TestSupport

@testable import TestBeds

/// When centrals can connect in memory.
@Suite struct AdvertisingTests {
  private static func device(_ advertisement: String) throws -> PeripheralDefinition {
    try define(
      """
      blemu: 1
      name: Button
      advertisement: { local-name: Button, \(advertisement) }
      services:
        - { uuid: FFE0, characteristics: [{ id: key, uuid: FFE1, properties: [read], value: "00" }] }
      """)
  }

  @Test func `advertising ends after its timeout`() async throws {
    let transcript = """
      advertises local-name="Button"
      wait 29.9s
      connect
      wait 1s
      disconnect
      not advertising
      connect
      ! not-advertising
      """
    #expect(try await failure(of: transcript, with: Self.device("timeout: 30s")) == nil)
    #expect(
      try await failure(of: "wait 31s\nconnect", with: Self.device("timeout: 30s"))
        == "2: the device is not advertising: no central can connect")
  }

  @Test func `nobody connects to a device that only advertises`() async throws {
    let device = try Self.device("connectable: false, discoverable: false")
    #expect(try await failure(of: "connect\n! not-connectable\nwait 1s", with: device) == nil)
    #expect(
      try await failure(of: "connect", with: device)
        == "1: the device only advertises: no central can connect")
  }

  @Test func `a device without services is not connectable, and not discoverable`() async throws {
    let device = try define(
      """
      blemu: 1
      name: Beacon
      generators: { level: { shape: ramp, from: 0, to: 9, over: 90s } }
      advertisement: { manufacturer-data: { FFFF: "{level: u8}" }, every: 10s }
      """)
    let transcript = """
      advertises manufacturer-data=FFFF:00 discoverable=false connectable=false
      wait 10s
      advertises manufacturer-data=FFFF:01
      connect
      ! not-connectable
      """
    #expect(try await failure(of: transcript, with: device) == nil)
  }

  @Test func `a transcript looks at addresses`() async throws {
    let (first, second) = (Self.addresses[0], Self.addresses[1])
    let device = try Self.device(
      """
      address: resolvable, sets: {
          fixed: { address: "C0:00:5E:00:53:01" }, own: { address: random }, fast: { address: { kind: non-resolvable, every: 10s } } }
      """)
    let transcript = """
      advertises local-name="Button" address=resolvable
      advertises address=\(first)
      advertises set=fixed address=C0:00:5E:00:53:01
      advertises set=own address=static
      advertises set=fast address=non-resolvable
      wait 15min
      advertises address=\(second)
      """
    #expect(try await failure(of: transcript, with: device) == nil)
    #expect(
      try await failure(of: "wait 15min\nadvertises address=\(first)", with: device)
        == "2: address is \(second), not \(first)")
    #expect(
      try await failure(of: "advertises address=static", with: Self.device("discoverable: true"))
        == "1: address is public, not static")
  }

  /// Resolvable addresses in memory are the same in each run.
  private static let addresses = ["51:BE:FC:F1:D1:7E", "79:B6:1C:A1:1D:BC"]
}
