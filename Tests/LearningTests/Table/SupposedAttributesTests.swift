import AttributeServer
import Bluetooth
import Captures
import Testing

@testable import Learning

struct SupposedAttributesTests {
  /// One line for each service, characteristic and descriptor, without those that are declared.
  static func lines(_ table: ObservedTable) -> [String] {
    table.services.flatMap { service in
      (service.isSupposed ? ["service \(service.handle ?? 0) \(name(service.uuid))"] : [])
        + service.characteristics.flatMap { characteristic in
          (characteristic.isSupposed
            ? [
              "\(characteristic.valueHandle ?? 0) \(name(characteristic.uuid)) \(characteristic.properties ?? [])"
            ]
            : [])
            + characteristic.descriptors.map {
              "  \($0.handle ?? 0) \(name(.init($0.uuid, isLong: false)))"
            }
        }
    }
  }

  private static func name(_ uuid: ObservedTable.DeclaredUUID) -> String {
    uuid.uuid.placeholderHandle == nil ? "\(uuid.uuid)" : "unknown"
  }

  /// A service that ends with 000B: FFE1 has the value 0005 and one descriptor, FFE2 the value 0008 and three.
  static let discovery = ObservedTableTests.discovery
  /// After it, the device says that it has no further characteristics.
  static let end = "> 08 08 00 0B 00 03 28\n< 01 08 08 00 0A\n"

  @Test(
    arguments: [
      // A request, a notifying value and its CCCD.
      (
        "> 12 06 00 01 00\n< 13\n> 12 03 00 AA\n< 13\n< 1B 05 00 BB",
        ["service 1 unknown", "3 unknown write", "5 unknown notify", "  6 2902"], [3, 5, 6]
      ),
      // Nothing came after the CCCD was written.
      ("> 12 06 00 02 00\n< 13", ["service 3 unknown", "5 unknown indicate", "  6 2902"], [6]),
      // Commands and notifications at one handle, with a description before the CCCD.
      (
        "> 52 10 00 AA\n> 12 12 00 01 00\n< 13\n< 1B 10 00 BB",
        ["service 14 unknown", "16 unknown write-without-response, notify", "  18 2902"], [16, 18]
      ),
      // Two bytes that a command writes are no CCCD, and neither are others.
      ("> 52 10 00 01 00", ["service 14 unknown", "16 unknown write-without-response"], [16]),
      ("> 12 10 00 01 01\n< 13", ["service 14 unknown", "16 unknown write"], [16]),
      // There is no room for the characteristic of a CCCD.
      ("> 12 03 00 01 00\n< 13", ["service 1 unknown", "3 unknown write"], [3]),
      // Next to a value there is no declaration.
      (
        "> 0A 10 00\n< 0B 41\n> 0A 11 00\n< 0B 42",
        ["service 14 unknown", "16 unknown read", "  17 unknown"], [16, 17]
      ),
      // What the device does not have, or has no room for.
      ("> 0A 10 00\n< 01 0A 10 00 01", [], []), ("> 0A 01 00\n< 0B 41", [], [1]),
      // A type, but no declaration.
      (
        "> 08 01 00 FF FF 00 2A\n< 09 05 03 00 41 42 43", ["service 1 unknown", "3 2A00 read"], []
      ),
      // Only types: Service Changed can only indicate.
      (
        """
        > 10 01 00 FF FF 00 28
        < 11 06 01 00 04 00 01 18
        > 04 01 00 04 00
        < 05 01 01 00 00 28 02 00 03 28 03 00 05 2A 04 00 02 29
        """, ["3 2A05 indicate", "  4 2902"], []
      ),
      // The only descriptor of one that notifies, and one of several, are its CCCD; another attribute is another descriptor.
      (discovery + "> 12 06 00 01 00\n< 13", ["  6 2902"], []),
      (discovery + "> 12 09 00 01 00\n< 13", ["  9 2902"], [9]),
      (discovery + end + "> 12 0B 00 41\n< 13", ["  11 unknown"], [11]),
      // The CCCD that nobody has used comes after a description next to the value.
      (discovery + "> 04 09 00 09 00\n< 05 01 09 00 01 29", ["  9 2901", "  10 2902"], []),
      // Where discovery of characteristics did not end, there may be one. After the service there is another.
      (discovery + "> 12 0B 00 41\n< 13", ["11 unknown write"], [11]),
      (discovery + "> 12 0E 00 41\n< 13", ["service 12 unknown", "14 unknown write"], [14]),
    ] as [(String, [String], [UInt16])])
  func `attributes without a declaration get one by their use`(
    lines: String, supposed: [String], undeclared: [UInt16]
  ) {
    let table = ObservedTable(connections: [connection(lines)], supposes: true)
    #expect(Self.lines(table) == supposed)
    #expect(table.undeclared == undeclared)
  }

  @Test func `a learnt device keeps the handles`() throws {
    var learnt = LearntDefinition(name: "Known", summary: "")
    learnt.addServices(
      ObservedTable(
        connections: [connection("> 12 16 00 01 00\n< 13\n> 12 03 00 AA\n< 13\n< 1B 15 00 BB")],
        supposes: true))
    let database = AttributeDatabase(try loaded(learnt), name: "Known")
    #expect(database.problems.isEmpty)
    #expect(database.attributes.map(\.handle) == [1, 2, 3, 0x14, 0x15, 0x16])
    #expect(learnt.origin.contains { $0.contains("--table") })
    #expect(learnt.device.characteristics.map(\.id) == ["handle-0003", "handle-0015"])
  }

  @Test func `reads of declarations are discovery`() {
    let lines = """
      > 04 01 00 FF FF
      < 05 01 01 00 00 28 02 00 03 28 03 00 19 2A
      > 0A 01 00
      < 0B 0F 18
      > 0A 02 00
      < 0B 02 03 00 19 2A
      > 0A 03 00
      < 0B 64
      """
    var device = CapturedDevice(address: nil)
    device.connections = [connection(lines)]
    let learner = Learner(device)
    #expect(learner.conversations.first?.exchanges.map(\.handle) == [3])
    #expect(ObservedTableTests.lines(learner.table) == ["1-0 180F", "  3 2A19"])
  }

  @Test(arguments: [("", true), ("> 0A 08 00\n< 0B 41", false), ("> 0A 08 00\n< 01 0A 08 00 05", false)])
  func `a value that is not permitted to be read is never read`(then lines: String, isRefused: Bool) {
    let discovery = Self.discovery.replacing("07 00 10 08", with: "07 00 12 08")
    let table = ObservedTable(connections: [connection(discovery + "> 0A 08 00\n< 01 0A 08 00 02\n" + lines)])
    #expect(table.characteristics.last?.permissions.contains(.noRead) == isRefused)
  }
}
