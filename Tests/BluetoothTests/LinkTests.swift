import Testing

@testable import Bluetooth

@Suite struct LinkTests {
  @Test(
    arguments: [
      (0x13, "remote-user-terminated", "Remote User Terminated (0x13)"),
      (0x08, "supervision-timeout", "Supervision Timeout (0x08)"),
      (0x16, "local-host", "Local Host (0x16)"),
      (0x06, "pin-or-key-missing", "PIN or Key Missing (0x06)"),
      (0x2E, "0x2E", "HCI error 0x2E"),
    ] as [(UInt8, String, String)])
  func `an HCI error has a name and a text`(code: UInt8, name: String, text: String) {
    #expect(HCIError(rawValue: code).name == name)
    #expect("\(HCIError(rawValue: code))" == text)
  }

  @Test func `a host may give seven reasons`() {
    let codes: [UInt8] = [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B]
    #expect(HCIError.reasonsToDisconnect.map(\.rawValue) == codes)
    for reason in HCIError.reasonsToDisconnect {
      #expect(HCIError(reasonToDisconnect: reason.name) == reason)
    }
    #expect(HCIError(reasonToDisconnect: "supervision-timeout") == nil)
  }

  @Test func `an HCI error is found by its name`() {
    for code in UInt8.min...UInt8.max {
      let error = HCIError(rawValue: code)
      #expect(HCIError(named: error.name) == error)
      #expect(HCIError.allNames.contains(error.name) == (error.words != nil))
    }
    #expect(HCIError(named: "0x08") == nil)  // it has a name
  }

  @Test(
    arguments: [
      (24, 0, 42, true), (40, 0, 42, true), (23, 0, 42, false), (41, 0, 42, false), (24, 1, 42, false),
      (24, 0, 43, false),
    ] as [(UInt16, UInt16, UInt16, Bool)])
  func `a link has the preferred parameters or not`(
    interval: UInt16, latency: UInt16, timeout: UInt16, has: Bool
  ) {
    let preferred = PreferredConnectionParameters(interval: 24...40, latency: 0, supervisionTimeout: 42)
    #expect(
      preferred.contains(
        ConnectionParameters(interval: interval, latency: latency, supervisionTimeout: timeout)) == has)
  }

  // More than 2 · (1 + latency) · the interval: 2 · 4 s is 8 s, 2 · 30 ms is 60 ms, 2 · 5 · 7.5 ms is 75 ms
  @Test(arguments: [(3200, 0, 801), (24, 0, 7), (6, 4, 8), (40, 2, 31)] as [(UInt16, UInt16, Int)])
  func `the timeout is longer than any silence`(interval: UInt16, latency: UInt16, least: Int) {
    let preferred = PreferredConnectionParameters(
      interval: 6...interval, latency: latency, supervisionTimeout: 10)
    #expect(preferred.leastTimeout == least)
  }
}
