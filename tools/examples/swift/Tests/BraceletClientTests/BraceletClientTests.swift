import BlemuControl
import BraceletClient
import Testing

@Suite struct BraceletClientTests {
  /// The bundled bracelet with a battery, which the one of the real device has, too.
  private static let definition = #filePath.replacing(
    "BraceletClientTests.swift", with: "bracelet-with-battery.yaml")

  /// Runs a bracelet, and a client that is connected to it.
  private func withBracelet(_ body: (Device, BraceletClient<MemoryConnection>) async throws -> Void)
    async throws
  {
    try await withRunningDevice(Self.definition) { bracelet in
      try await body(bracelet, BraceletClient(MemoryConnection(to: bracelet)))
    }
  }

  @Test func `reads the samples of a day`() async throws {
    try await withBracelet { bracelet, client in
      #expect(try await client.samples(month: 1, day: 4) == Array(stride(from: 0x00, through: 0x62, by: 7)))
      try await bracelet.expect(
        "> serial day-request month=1 day=4", "< serial day-total packets=1",
        "> serial packet-request index=0")
    }
  }

  @Test func `asks again if a request is lost`() async throws {
    try await withBracelet { bracelet, client in
      let samples = try await client.samples(month: 1, day: 2)
      try await bracelet.withFault("drop in on serial every 3rd") {
        #expect(try await client.samples(month: 1, day: 2) == samples)
        try await bracelet.expect("fault drop", atLeast: 2)
      }
    }
  }

  @Test func `gives up on a bracelet that does not answer`() async throws {
    try await withBracelet { bracelet, client in
      try await bracelet.withFault("drop in on serial") {
        await #expect(throws: BraceletError.noAnswer) { try await client.samples(month: 1, day: 4) }
      }
      try await bracelet.expect("< serial", never: true)
    }
  }

  @Test func `says when the battery is low`() async throws {
    try await withBracelet { bracelet, client in
      #expect(try await !client.needsCharging())
      try await bracelet.set(["battery-level": 14])
      #expect(try await client.needsCharging())
    }
  }
}
