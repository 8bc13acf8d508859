import TestSupport
import Testing

/// Lines about pairing that cannot stand where they are.
@Suite struct PairingMistakeTests {
  @Test(arguments: [
    ("read control\n! pairing-not-supported", "no pairing comes before this line"),
    ("pair\n! insufficient-authentication", "no request comes before this line"),
    ("disconnect\npair", "no central is connected"),
    ("pair\n! pairing-not-supported\nread control", "no central is connected"),
  ])
  func `a line cannot follow`(lines: String, message: String) {
    #expect(mistakes("connect\n\(lines)").contains(message))
  }

  @Test func `two that compare numbers enter no passkey`() {
    let comparing = definition(
      "security: { io-capability: display-yes-no }\nservices: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]"
    )
    let report = mistakes(
      "connect\npair io-capability=keyboard-display passkey=123456",
      in: comparing)
    #expect(report.contains("the device and this central compare numbers; nobody enters a passkey"))
  }
}
