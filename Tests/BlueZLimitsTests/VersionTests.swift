import DeviceModel
import TestSupport
import Testing

@testable import BlueZLimits

/// What `check` notes for one version of BlueZ and not for another.
@Suite struct VersionTests {
  private static let timing =
    "advertisement: { local-name: A, interval: { min: 100ms, max: 100ms }, tx-power: 4 }\n"

  private static func findings(_ yaml: String, on version: BlueZVersion?) throws -> [Finding] {
    BlueZLimits { version }.check(try device(yaml))
  }

  @Test(arguments: ["5.66", "5.76"]) func `a version that ignores the timing of an advertisement is named`(
    number: String
  ) throws {
    let findings = try Self.findings(Self.timing, on: BlueZVersion(number))
    #expect(findings.map(\.place) == [.advertisement(key: "interval"), .advertisement(key: "tx-power")])
    #expect(findings.map(\.severity) == [.note, .note])
    #expect(findings[0].message.hasPrefix("BlueZ \(number) ignores this"))
  }

  @Test(arguments: ["5.77", "5.82", "6.00"]) func `a version that follows it has no findings`(number: String)
    throws
  {
    #expect(try Self.findings(Self.timing, on: BlueZVersion(number)) == [])
  }

  private static let asker = """
    services: [{ uuid: FFE0, characteristics: [{ id: point, uuid: FFE1, properties: [write, notify], recipients: asker }] }]
    """

  @Test(arguments: [("5.66", 1), ("5.69", 0)])
  func `a version that cannot answer one central of several is named`(number: String, count: Int) throws {
    let findings = try Self.findings(Self.asker, on: BlueZVersion(number))
    #expect(findings.map(\.place) == Array(repeating: .characteristic(0), count: count))
    #expect(try Self.findings(Self.asker + "\nlink: { centrals: 1 }\n", on: BlueZVersion(number)) == [])
  }

  @Test func `without a bluetoothd, nothing depends on its version`() throws {
    #expect(try Self.findings(Self.timing, on: nil) == [])
  }

  @Test func `the version is asked only for what depends on it`() throws {
    let limits = BlueZLimits { fatalError("asked") }
    #expect(limits.check(try device("advertisement: { local-name: A }\n")) == [])
  }

  @Test(arguments: ["", "5", "5.", "5.66.1", "bluetoothd: 5.66"]) func `other texts are no version`(
    text: String
  ) {
    #expect(BlueZVersion(text) == nil)
  }

  @Test func `versions are ordered by their numbers`() {
    #expect(BlueZVersion(5, 9) < BlueZVersion(5, 66))
    #expect(BlueZVersion(5, 87) < BlueZVersion(6, 0))
  }
}
