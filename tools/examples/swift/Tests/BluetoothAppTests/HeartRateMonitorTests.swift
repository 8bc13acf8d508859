import BlemuControl
import BluetoothApp
import Testing

@MainActor @Suite struct HeartRateMonitorTests {
  /// The values that the monitor shows, until this one comes.
  private func wait(for value: Int, in values: AsyncStream<Int>) async {
    for await shown in values where shown == value { return }
  }

  @Test(.timeLimit(.minutes(1))) func `shows the heart rate and the battery`() async throws {
    let settings: [String: Device.Value] = ["beats-per-minute": 142, "battery": 80]
    try await withRunningDevice("heart-rate-belt", settings: settings) { belt in
      let (rates, rate) = AsyncStream.makeStream(of: Int.self)
      let (levels, level) = AsyncStream.makeStream(of: Int.self)
      let monitor = HeartRateMonitor()
      monitor.onHeartRate = { rate.yield($0) }
      monitor.onBattery = { level.yield($0) }
      monitor.start()
      await wait(for: 80, in: levels)
      try await belt.expect("subscribe heart-rate-measurement", "subscribe battery-level", after: 0)
      try await belt.advance(by: .seconds(2))
      await wait(for: 142, in: rates)
      try await belt.set(["battery": 14])
      await wait(for: 14, in: levels)
      // Some belts send each rate in two bytes.
      try await belt.set(["sends-wide-rate": true, "beats-per-minute": 99])
      try await belt.advance(by: .seconds(2))
      await wait(for: 99, in: rates)
    }
  }
}
