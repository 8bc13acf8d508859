import AttributeServer
import Captures
import Framing
import Learning
import Testing

struct LearntServicesTests {
  /// The services that are learnt of a link whose discovery is complete: each characteristic is a declaration, a value and
  /// what follows.
  static func services(_ lines: String) throws -> String {
    var learnt = LearntDefinition(name: "Device", summary: "")
    learnt.addServices(ObservedTable(connections: [connection(lines)]))
    let database = AttributeDatabase(try loaded(learnt), name: "")
    #expect(database.problems.isEmpty)
    return section("services", of: learnt)
  }

  /// 1800 from 0x0001, and FFE0 with one characteristic, whose value has the handle 0x0012.
  static func discovery(_ properties: String, end: String = "14", descriptors: String) -> String {
    """
    > 10 01 00 FF FF 00 28
    < 11 06 01 00 01 00 00 18 10 00 \(end) 00 E0 FF
    > 08 10 00 14 00 03 28
    < 09 07 11 00 \(properties) 12 00 E1 FF
    > 04 13 00 14 00
    \(descriptors)

    """
  }

  @Test(
    arguments: [
      // Notify with its 2902 and a gap; values that were read.
      (
        discovery("12", descriptors: "< 05 01 13 00 02 29")
          + "> 0A 12 00\n< 0B 64\n> 0A 12 00\n< 0B 63\n> 0A 12 00\n< 0B 63",
        #"- { uuid: FFE1, properties: [read, notify], value: "64" }  # changed: 64, 63"#
      ),
      // Notify without a 2902.
      (
        discovery("10", descriptors: "< 01 04 13 00 0A"),
        "- { uuid: FFE1, properties: [notify], cccd: none }"
      ),
      // Whether there is one is not known.
      (
        discovery("10", descriptors: ""),
        "- { uuid: FFE1, properties: [notify] }  # whether it has a 2902 is not known"
      ),
      // The 2902 is not the first.
      (
        discovery("10", descriptors: "< 05 01 13 00 01 29 14 00 02 29"),
        #"""
        - uuid: FFE1  # 2901 never read
                properties: [notify]
                descriptors: [{ uuid: "2901" }, { uuid: "2902", properties: [read, write] }]
        """#
      ),
      // A gap before it.
      (
        discovery("10", descriptors: "< 05 01 14 00 02 29"),
        #"""
        - uuid: FFE1
                properties: [notify]
                descriptors: [{ uuid: "2902", properties: [read, write], handle: 0x0014 }]
        """#
      ),
      // Refusals that pairing overcomes, of a read and of a subscription.
      (
        discovery("12", descriptors: "< 05 01 13 00 02 29")
          + "> 0A 12 00\n< 01 0A 12 00 05\n> 12 13 00 01 00\n< 01 12 13 00 0F",
        """
        - { uuid: FFE1, properties: [read, notify], permissions: [encrypt-read, encrypt-notify] }\
          # read refused: insufficient-authentication; 2902 write refused: insufficient-encryption
        """
      ),
      // It permits something other than it announces.
      (
        discovery("02", descriptors: "< 01 04 13 00 0A")
          + "> 0A 12 00\n< 01 0A 12 00 02\n> 12 12 00 07\n< 13",
        "- { uuid: FFE1, properties: [read], permissions: [no-read, write] }  # read refused: read-not-permitted"
      ),
      // Values with the handle of a descriptor, which is no 2902.
      (
        discovery("08", descriptors: "< 05 01 13 00 E1 FF") + "< 1B 13 00 41",
        "- { uuid: FFE1, properties: [write], descriptors: [{ uuid: FFE1, properties: [read, notify] }] }"
      ),
      // A text, and a descriptor with a value.
      (
        discovery("02", descriptors: "< 05 01 13 00 01 29")
          + "> 0A 12 00\n< 0B 4C 61 6D 70\n> 0A 13 00\n< 0B 4F 6E",
        #"- { uuid: FFE1, properties: [read], text: "Lamp", descriptors: [{ uuid: "2901", text: "On" }] }"#
      ),
    ])
  func `a characteristic is described as it was found`(lines: String, expected: String) throws {
    // The last descriptor may have the last handle.
    let end = lines.contains("14 00 02 29") ? "" : "\n    end-handle: 0x0014"
    let services = try Self.services(lines)
    #expect(
      services == """
        services:
          - uuid: "1800"  # Generic Access
            characteristics: []
          - uuid: FFE0
            handle: 0x0010\(end)
            characteristics:
              \(expected)
        """)
  }
}
