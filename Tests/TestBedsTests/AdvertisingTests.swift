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
}
