import Bluetooth
import TestSupport
import Testing

@testable import AttributeServer

@Suite struct HashTests {
  /// Vol 3 Part G Appendix B. Its device has a Characteristic Extended Properties of zeros.
  private static let appendix = """
    services:
      - uuid: 1800
        characteristics:
          - { uuid: 2A00, properties: [read, write] }
          - { uuid: 2A01, properties: [read] }
      - uuid: 1801
        characteristics:
          - { uuid: 2A05, properties: [indicate] }
          - { uuid: 2B29, properties: [read, write] }
          - { uuid: 2B2A, properties: [read] }
      - uuid: 1808
        includes: [180F]
        characteristics:
          - { uuid: 2A18, properties: [read, indicate, extended-properties] }
      - uuid: 180F
        primary: false
        characteristics:
          - { uuid: 2A19, properties: [read] }
    """
  private static let appendixHash = bytes("F1 CA 2D 48 EC F5 8B AC 8A 88 30 BB B9 FB A9 90")

  /// A number is sent with its last byte first.
  @Test func `the hash of the specification's example is sent`() {
    var server = AttributeServer(of: definition(Self.appendix))
    #expect(server.database[0x0016]?.type == 0x2A19)
    #expect(server.database.hash == Self.appendixHash.reversed())
    // Read By Type of 2B2A; 18 bytes for handle 000D and the value.
    #expect(
      server.actions(after: bytes("08 01 00 FF FF 2A 2B"))
        == [.send(bytes("09 12 0D 00") + Self.appendixHash.reversed())])
  }

  @Test(arguments: [
    (
      "extended-properties] }", "extended-properties], descriptors: [{ uuid: 2900, value: \"00 00\" }] }",
      true
    ),
    (
      "extended-properties] }", "extended-properties], descriptors: [{ uuid: 2900, value: \"01 00\" }] }",
      false
    ),
    ("[read, write] }", "[read, write], text: A name }", true),  // a value
    ("indicate, extended", "indicate, notify, extended", false),  // a declaration
    ("{ uuid: 2A01, properties: [read] }", "{ uuid: 2A02, properties: [read] }", false),
    ("uuid: 180F\n    primary: false", "uuid: 180F\n    primary: true", false),
    ("    includes: [180F]\n", "", false),
    ("{ uuid: 2A19, properties: [read] }", "{ uuid: 2A19, handle: 0x17, properties: [read] }", false),
  ])
  func `the hash is that of the declarations`(
    old: String, new: String, isSame: Bool
  ) {
    let text = Self.appendix.replacing(old, with: new, maxReplacements: 1)
    #expect(text != Self.appendix)
    let hash = AttributeServer(of: definition(text)).database.hash
    #expect((hash == Self.appendixHash.reversed()) == isSame)
  }

  @Test(arguments: [
    ("2901", true), ("2903", true), ("2904", true), ("2905", true), ("2906", false), ("FFE2", false),
    ("00002901-0000-1000-8000-00805F9B34FC", false),
  ])
  func `some descriptors count, without their values`(uuid: String, counts: Bool) {
    func hash(_ descriptor: String) -> [UInt8] {
      let value = "{ uuid: FFE1, properties: [read], descriptors: [\(descriptor)] }"
      return AttributeServer(of: definition("services: [{ uuid: FFE0, characteristics: [\(value)] }]"))
        .database.hash
    }
    #expect((hash("{ uuid: \(uuid) }") != hash("")) == counts)
    #expect(hash("{ uuid: \(uuid) }") == hash("{ uuid: \(uuid), value: \"01\" }"))
  }

  @Test func `a value in the definition stays as it is`() throws {
    let own = Self.appendix.replacing(
      "2B2A, properties: [read]", with: "2B2A, properties: [read], value: \"01 02\"")
    #expect(own != Self.appendix)
    try expect(definition(own), "> 0A 0D 00\n< 0B 01 02")
  }

  @Test func `a Database Hash in another service is no hash`() throws {
    let other = Self.appendix.replacing("2A19", with: "2B2A, id: other")
    try expect(definition(other), "> 0A 16 00\n< 0B")
  }

  @Test func `a device without them has none of them`() {
    for database in [SpecificationCase.small, SpecificationCase.large].map({
      AttributeServer(of: $0).database
    }) {
      #expect(database.attributes.allSatisfy { ![0x2B29, 0x2B2A, 0x2B3A].contains($0.type) })
    }
  }
}
