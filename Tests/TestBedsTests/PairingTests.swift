import Definitions
import DeviceModel
import Testing
import TestSupport

@testable import TestBeds

/// Centrals that pair in memory.
@Suite struct PairingTests {
  /// A device with a value for each kind of protection. It tells at the wire side what it hears of pairing.
  private static func device(_ security: String?) -> PeripheralDefinition {
    try! define(
      """
      blemu: 1
      name: Lock
      \(security.map { "security: { \($0) }" } ?? "")
      services:
        - uuid: FFE0
          characteristics:
            - { id: open, uuid: FFE1, properties: [read, notify], value: "00" }
            - { id: encrypted, uuid: FFE2, properties: [read, write], permissions: [encrypt-read, encrypt-write], value: "01" }
            - { id: authenticated, uuid: FFE3, properties: [read], permissions: [encrypt-authenticated-read], value: "02" }
            - { id: secure, uuid: FFE4, properties: [read], permissions: [secure-read], value: "03" }
      messages: { told: "{number: u8}" }
      rules:
        - { on: paired, do: { send: told, with: { number: 1 }, to: wire } }
        - { on: bonded, do: { send: told, with: { number: 2 }, to: wire } }
        - { on: pairing-failed, do: { send: told, with: { number: 3 }, to: wire } }
        - { on: encrypted, do: { send: told, with: { number: 4 }, to: wire } }
      """)
  }

  private static let (paired, bonded, failed) = (
    "[ wire  04\n[ wire  01", "[ wire  04\n[ wire  01\n[ wire  02", "[ wire  03"
  )
  private static let refusesAll = refuses("encrypted") + refuses("authenticated") + refuses("secure")

  private static let advice =
    "; put 'pair' before this line, or expect it with '! insufficient-authentication'"

  private static func refuses(_ id: String) -> String { "\nread \(id)\n! insufficient-authentication" }
  private static func has(_ id: String, _ value: String) -> String { "\nread \(id)\n= \(value)" }

  private static let justWorks =
    "\n\(paired)" + has("encrypted", "01") + refuses("authenticated") + refuses("secure")
  private static let authenticated =
    "\n\(paired)" + has("encrypted", "01") + has("authenticated", "02") + refuses("secure")
  private static let secure =
    "\n\(paired)" + has("encrypted", "01") + has("authenticated", "02") + has("secure", "03")

  private static func fails(_ reason: String) -> String { "\n! \(reason)\n\(failed)\nconnect" + refusesAll }

  private static let conversations: [(security: String?, lines: String)] = [
    (nil, "pair" + justWorks),
    ("bonding: true", "pair" + justWorks),
    (nil, "pair secure-connections=never" + justWorks),
    ("io-capability: display-only", "pair" + secure),
    ("io-capability: display-only", "pair secure-connections=never" + authenticated),
    ("io-capability: display-only, secure-connections: never", "pair" + authenticated),
    ("io-capability: display-only", "pair passkey=000000" + fails("confirm-value-failed")),
    ("io-capability: display-only", "pair io-capability=no-input-no-output" + justWorks),
    ("io-capability: display-only", "pair io-capability=display-only" + justWorks),
    ("io-capability: display-yes-no", "pair" + secure),
    ("io-capability: display-yes-no", "pair passkey=000000" + fails("confirm-value-failed")),
    ("io-capability: keyboard-only, passkey: '123456'", "pair" + secure),
    ("io-capability: keyboard-only, passkey: '123456'", "pair passkey=123456" + secure),
    (
      "io-capability: keyboard-only, passkey: '123456'", "pair passkey=123457" + fails("confirm-value-failed")
    ),
    (
      "io-capability: keyboard-only, passkey: '123456'",
      "pair io-capability=keyboard-only passkey=123456" + secure
    ),
    ("io-capability: keyboard-only", "pair" + fails("passkey-entry-failed")),
    ("io-capability: keyboard-display", "pair" + secure),
    ("pairing: false", "pair" + fails("pairing-not-supported")),
    ("pairing: false", "bond passkey=123456" + fails("pairing-not-supported")),
    ("secure-connections: required", "pair" + justWorks),
    (
      "secure-connections: required", "pair secure-connections=never" + fails("authentication-requirements")
    ),
    ("io-capability: display-only, secure-connections: required", "pair" + secure),
  ]

  @Test(arguments: conversations)
  func `a central pairs as the device and the line say`(security: String?, lines: String) async throws {
    let device = Self.device(security)
    #expect(try await failure(of: "connect\(Self.refusesAll)\n\(lines)\nread open", with: device) == nil)
    let raw = lines.split(separator: "\n").prefix { !$0.hasPrefix("read") && $0 != "connect" }.joined(
      separator: "\n")
    #expect(try await failure(of: "connect raw\n\(raw)", with: device) == nil)
  }

  @Test(arguments: [
    // Keys that nobody keeps protect one link.
    ("bonding: true", "pair\n\(paired)\ndisconnect\nconnect" + refusesAll),
    ("bonding: false", "pair\n\(paired)\ndisconnect\nconnect" + refusesAll),
    // A client encrypts the next link by itself, a central that speaks PDUs when it pairs.
    ("io-capability: display-only", "bond\n\(bonded)\ndisconnect\nconnect\n[ wire  04" + has("secure", "03")),
    (
      "bonding: true",
      "bond\n\(bonded)\ndisconnect\nconnect raw\n>> 0A 0F 00\n<< 01 0A 0F 00 0F\npair\n[ wire  04\n>> 0A 0F 00\n<< 0B 01"
    ),
    // A central that has lost its keys pairs anew, and the device keeps its bond until then.
    (
      "bonding: true",
      "bond\n\(bonded)\nunpair\nconnect\nread encrypted\n! insufficient-encryption\nbond\n\(bonded)"
        + has("encrypted", "01") + "\ndisconnect\nconnect\n[ wire  04" + has("encrypted", "01")
    ),
    ("bonding: true", "unpair\nconnect\nunpair\nconnect" + refusesAll),
    // So does one whose keys the device has lost. The link on which it loses them stays encrypted.
    (
      "bonding: true",
      "bond\n\(bonded)\nforget" + has("encrypted", "01") + "\ndisconnect\nconnect\nsilence 1s" + refusesAll
        + "\nbond\n\(bonded)" + has("encrypted", "01") + "\ndisconnect\nconnect\n[ wire  04"
    ),
    ("bonding: true", "bond\n\(bonded)\nforget\npair\nsilence 1s"),
    ("pairing: false", "forget\npair" + fails("pairing-not-supported")),
    // It has lost the subscription as well.
    (
      "bonding: true",
      """
      subscribe open
      bond
      \(bonded)
      forget
      disconnect
      connect raw
      bond
      \(bonded)
      >> 0A 0D 00
      << 0B 00 00
      """
    ),
    // Those who are bonded have no reason to pair.
    ("bonding: true", "bond\n\(bonded)\npair\nbond\nsilence 1s"),
    // The device keeps the subscription.
    (
      "bonding: true",
      """
      subscribe open
      bond
      \(bonded)
      disconnect
      connect raw
      >> 0A 0D 00
      << 0B 00 00
      pair
      [ wire  04
      >> 0A 0D 00
      << 0B 01 00
      """
    ),
  ])
  func `keys are kept after bonding`(security: String, lines: String) async throws {
    #expect(try await failure(of: "connect\n\(lines)", with: Self.device(security)) == nil)
  }

  @Test(arguments: [
    (
      "bonding: true", "read encrypted",
      "2: refused: Insufficient Authentication (0x05)" + advice
    ),
    (
      "bonding: true", "> encrypted  00",
      "2: refused: Insufficient Authentication (0x05)" + advice
    ),
    (
      "bonding: true", "pair\n\(paired)\nread authenticated",
      "5: refused: Insufficient Authentication (0x05); this pairing does not protect the link well enough"
    ),
    ("bonding: false", "bond", "2: paired, but the device does not keep the keys ('bonding: false')"),
    ("pairing: false", "pair", "2: pairing failed: pairing not supported"),
    (
      "pairing: false", "pair\n! confirm-value-failed",
      "3: pairing failed with pairing-not-supported, not with confirm-value-failed"
    ),
    (
      "bonding: true", "pair\n! pairing-not-supported",
      "3: paired; pairing did not fail with pairing-not-supported"
    ),
    ("bonding: true", "pair", "2: no line expects this: [ wire  04"),
  ])
  func `a conversation fails with this message`(security: String, lines: String, message: String) async throws
  {
    #expect(try await failure(of: "connect\n\(lines)", with: Self.device(security)) == message)
  }

  @Test func `the passkeys are the same in each run, and the report shows them`() async throws {
    let device = Self.device("io-capability: display-only")
    let text = "connect\npair\n\(Self.paired)\nread open\n= 01"
    let first = try await report(of: text, with: device)
    #expect(try await report(of: text, with: device) == first)
    #expect(first.contains(/\* the passkey is \d{6}\n/))
  }
}
