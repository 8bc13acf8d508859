import BlemuControl
import BluetoothApp
import Testing

@Suite struct BraceletManagerTests {
  private func samples(of manager: BraceletManager, month: UInt8, day: UInt8) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      manager.readSamples(month: month, day: day) { continuation.resume(returning: $0) }
    }
  }

  @Test func `reads the samples of a day`() async throws {
    try await withRunningDevice("bracelet") { bracelet in
      let manager = BraceletManager()
      let samples = await samples(of: manager, month: 1, day: 4)
      #expect(samples == Array(stride(from: 0x00, through: 0x62, by: 7)))
      try await bracelet.expect(
        "> serial day-request month=1 day=4", "> serial packet-request index=0", after: 0)
    }
  }

  @Test func `asks again when a packet is lost`() async throws {
    try await withRunningDevice("bracelet") { bracelet in
      let manager = BraceletManager()
      try await bracelet.withFault("drop out on serial message packet once") {
        #expect(await samples(of: manager, month: 1, day: 2)?.count == 75)
        try await bracelet.expect("> serial packet-request index=0", atLeast: 2, after: 0)
      }
    }
  }

  @Test func `ignores a packet with a wrong checksum`() async throws {
    try await withRunningDevice("bracelet") { bracelet in
      let manager = BraceletManager()
      try await bracelet.withFault("corrupt 1 byte out on serial message packet once") {
        let samples = await samples(of: manager, month: 1, day: 4)
        #expect(samples == Array(stride(from: 0x00, through: 0x62, by: 7)))
      }
    }
  }

  @Test func `gives up on a bracelet that does not answer`() async throws {
    try await withRunningDevice("bracelet", faults: ["drop in on serial"]) { _ in
      #expect(await samples(of: BraceletManager(), month: 1, day: 4) == nil)
    }
  }
}
