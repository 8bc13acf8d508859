import BlemuControl
import BraceletClient

/// A connection in memory to a bracelet that blemu runs.
struct MemoryConnection: BraceletConnection {
  private let phone: Device.Central
  /// Not that of the test: both expect lines of the journal, each after its own last one.
  private let device: Device

  init(to bracelet: Device) async throws {
    phone = bracelet.central()
    device = try await Device(bracelet.name)
    try await phone.connect()
    try await phone.subscribe(to: "serial")
  }

  func write(_ packet: [UInt8]) async throws { try await phone.write(.bytes(packet), to: "serial") }

  func nextPacket() async throws -> [UInt8]? {
    do {
      return try await device.expect("< serial", within: .milliseconds(500)).first?.value
    } catch is ExpectationError {
      return nil
    }
  }

  func batteryLevel() async throws -> UInt8 { try await phone.read("battery").first ?? 0 }
}
