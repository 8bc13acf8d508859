import BlemuControl
import BluetoothApp
import Testing

/// The app's delegate; it keeps what it hears for a test.
@MainActor private final class Screen: SerialManagerDelegate {
  private let (events, sender) = AsyncStream.makeStream(of: String.self)

  func next() async -> String? {
    var iterator = events.makeAsyncIterator()
    return await iterator.next(isolation: #isolation)
  }

  nonisolated func serialDidConnect(_ serial: SerialManager) { sender.yield("connected") }
  nonisolated func serial(_ serial: SerialManager, didReceive text: String) { sender.yield(text) }
  nonisolated func serial(_ serial: SerialManager, didDisconnectWith error: Error?) {
    sender.yield("lost: \(error?.localizedDescription ?? "")")
  }
}

@MainActor @Suite struct SerialManagerTests {
  /// Runs an HM-10, and the app, which is connected to it.
  private func withSerial(_ body: (Device, SerialManager, Screen) async throws -> Void) async throws {
    try await withRunningDevice("hm-10-cable") { module in
      let (serial, screen) = (SerialManager(), Screen())
      serial.delegate = screen
      #expect(await screen.next() == "connected")
      try await body(module, serial, screen)
    }
  }

  @Test func `shows what the microcontroller sends`() async throws {
    try await withSerial { module, _, screen in
      try await module.wire(.text("21.5 C\r\n"))
      #expect(await screen.next() == "21.5 C\r\n")
    }
  }

  @Test func `sends long text in parts of 20 bytes`() async throws {
    try await withSerial { module, serial, _ in
      serial.send(String(repeating: "0123456789", count: 25))
      let parts = try await module.expect("> FFE1", atLeast: 13)
      #expect(parts.map { $0.value.count } == Array(repeating: 20, count: 12) + [10])
    }
  }

  @Test func `connects again when the module is lost`() async throws {
    try await withSerial { module, serial, screen in
      try await module.disconnect(reason: "supervision-timeout")
      #expect(await screen.next() == "lost: The connection has timed out unexpectedly.")
      #expect(await screen.next() == "connected")
      serial.send("AT")
      try await module.expect("connect", "> FFE1 41 54")
    }
  }
}
