import DeviceModel
import TestSupport
import Testing

@testable import Exact

/// Values of Generic Attribute that the definition itself has.
@Suite struct CachingFindingTests {
  /// Generic Access is at 0001 to 0005, Generic Attribute from 0006 on.
  private static func findings(_ characteristic: String) -> [Finding] {
    ExactLimits().check(
      definition(
        """
        services:
          - uuid: 1800
            characteristics: [{ uuid: 2A00, properties: [read] }, { uuid: 2A01, properties: [read] }]
          - uuid: 1801
            characteristics: [{ \(characteristic), properties: [read] }]
        """))
  }

  @Test(arguments: ["uuid: 2B2A", "uuid: 2B3A", "uuid: 2B3A, value: \"00\"", "uuid: 2B29, value: \"00\""])
  func `what is so has no finding`(characteristic: String) {
    #expect(Self.findings(characteristic) == [])
  }

  /// AES-CMAC (openssl mac) of 0100 0028 0018, 0200 0328 02 0300 002A, 0400 0328 02 0500 012A, 0600 0028 0118,
  /// 0700 0328 02 0800 2A2B.
  private static let hash = "09 9F 06 8B 63 39 BB 43 3E 11 AD 93 E9 4C C6 7A"

  @Test func `another hash than that of the attributes is found`() {
    #expect(Self.findings("uuid: 2B2A, value: \"\(Self.hash)\"") == [])
    #expect(
      Self.findings("uuid: 2B2A, value: \"00\"") == [
        Finding(
          .warning, "this is not the hash of these attributes, which is \(Self.hash)", at: .characteristic(2),
          hint: "without a 'value', blemu computes it")
      ])
  }

  @Test(arguments: [
    "uuid: 1801, characteristics: [{ uuid: 2A05, properties: [indicate] }]",
    "uuid: FFE0, handle: 1, characteristics: []",
  ])
  func `a device without Generic Access is found`(service: String) {
    let findings = ExactLimits().check(definition("services: [{ \(service) }]"))
    #expect(
      findings == [
        Finding(
          .warning, "the device has no Generic Access (1800), which centrals ask for its name",
          at: .service(0),
          hint:
            "add one: blemu adds it only to a definition with neither 1800 nor 1801 that leaves handles for it"
        )
      ])
  }

  @Test(arguments: [
    ("none", "encrypt-notify", true), ("ignored", "secure-notify", true), ("ignored", "encrypt-read", false),
    ("required", "encrypt-notify", false),
  ])
  func `values without a subscription that need protection are noted`(
    cccd: String, permission: String, isNoted: Bool
  ) {
    let services =
      "services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [notify], permissions: [\(permission)], cccd: \(cccd) }] }]"
    let findings = ExactLimits().check(definition(services))
    #expect(findings.map(\.severity) == (isNoted ? [.note] : []))
    #expect(
      findings.allSatisfy {
        $0.message.hasPrefix("a central gets these values only once its link is protected")
      })
    #expect(ExactLimits().check(definition("security: { request: true }\n\(services)")) == [])
  }

  @Test func `Enhanced ATT bearers that do not exist are found`() {
    #expect(
      Self.findings("uuid: 2B3A, value: \"01\"") == [
        Finding(
          .warning, "this value announces an Enhanced ATT bearer, which blemu does not serve",
          at: .characteristic(2),
          hint: "without a 'value', it announces none")
      ])
  }
}
