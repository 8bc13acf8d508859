import Bluetooth
import BlueZLimits
import Definitions
import DeviceModel
import TestSupport
import Testing

/// The findings of BlueZ's limits and their places in the definition. `Diagnostics` has their text.
@Suite struct CheckTests {
  private static func findings(_ yaml: String) throws -> [Finding] {
    BlueZLimits().check(try device(yaml))
  }

  private static let port = """
    services:
      - uuid: FFE0
        characteristics: [{ id: port, uuid: FFE1, properties: [read, write, notify] }]

    """

  @Test func `a definition that BlueZ can serve has no findings`() throws {
    #expect(try Self.findings(Self.port) == [])
  }

  @Test func `an advertisement is found by its keys and the indices of its raw structures`() throws {
    let findings = try Self.findings(
      """
      advertisement:
        local-name: "0123456789012345678901234567890"
        connectable: false
        discoverable: true
        raw: { 2D: "41", "01": "06", 0x2D: "42", 26: "" }

      """ + Self.port)
    #expect(
      findings.map(\.place) == [
        .rawType(2), .rawBytes(3), .advertisement(key: "local-name"), .rawType(1),
        .advertisement(key: "connectable"),
      ])
    #expect(findings.map(\.severity) == [.error, .error, .warning, .error, .error])
  }

  @Test func `a raw structure of the scan response that BlueZ refuses is noted`() throws {
    let findings = try Self.findings(
      """
      advertisement:
        raw: { 2D: "41", FF: "4C 00 02" }
        packets: { advertising-data: [flags], scan-response: [raw] }

      """ + Self.port)
    #expect(
      findings.map(\.place) == [.rawType(1), .advertisement(key: "packets")])
    #expect(findings.map(\.severity) == [.note, .note])
  }

  @Test func `what BlueZ moves to another packet is noted`() throws {
    let findings = BlueZLimits { BlueZVersion(5, 82) }.check(
      try device(
        """
        advertisement:
          local-name: A
          tx-power: 0
          raw: { 2D: "41", FF: "4C 00 02" }
          packets: { advertising-data: [flags, local-name], scan-response: [raw, tx-power] }

        """ + Self.port))
    #expect(
      findings.map(\.message) == [
        "BlueZ sends local-name in the scan response", "BlueZ sends tx-power in the advertising data",
      ])
  }

  @Test func `the longest field is found, with a drawing of the packet`() throws {
    let findings = try Self.findings(
      """
      advertisement: { service-data: { B000: "\(String(repeating: "00 ", count: 30))" } }

      """ + Self.port)
    #expect(findings.map(\.place) == [.advertisement(key: "service-data")])
    #expect(findings.first?.notes.count == 2)
  }

  @Test func `attributes are found by their indices`() throws {
    let findings = try Self.findings(
      """
      settings: { own: { type: boolean, default: false } }
      services:
        - { uuid: 180A, characteristics: [{ uuid: 2A29, properties: [read] }] }
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, properties: [read] }
            - uuid: FFE2
              properties: [read, notify, reliable-write]
              descriptors: [{ uuid: 2901, text: a }, { uuid: 2902 }, { uuid: 2900 }]
        - { id: it, uuid: "{if(own, 0x1801, 0xFFE5): u16be}", characteristics: [{ uuid: FFE3, properties: [read] }] }
        - { uuid: 1800, characteristics: [{ uuid: FFE4, properties: [read] }] }

      """)
    #expect(
      findings.map(\.place) == [
        .service(0), .service(3), .descriptor(1, of: 2), .descriptor(2, of: 2), .service(2),
      ])
    #expect(
      findings.last?.message
        == "with own=true: BlueZ serves its own Generic Attribute (1801) instead of this one")
  }

  @Test func `an error is found by its place among those of a rule`() throws {
    let findings = try Self.findings(
      Self.port + """
        rules:
          - { on: { read: port }, do: [{ refuse: invalid-offset }] }
          - on: { write: port }
            do:
              - { if: offset > 0, then: [{ refuse: insufficient-encryption }] }
              - { if: offset > 1, refuse: invalid-offset }
              - refuse: read-not-permitted

        """)
    #expect(findings.map(\.place) == [.refusal(1, ofRule: 1), .refusal(2, ofRule: 1)])
    #expect(
      findings.map(\.message) == [
        "BlueZ cannot send Read Not Permitted (0x02): the central gets Write Not Permitted (0x03)",
        "BlueZ cannot send Insufficient Encryption (0x0F): the central gets Unlikely Error (0x0E)",
      ])
  }
}
