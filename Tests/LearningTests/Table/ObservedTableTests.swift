import Captures
import Framing
import Testing

@testable import Learning

struct ObservedTableTests {
  /// The discovery of `jk-b1a20s15p.btsnoop`: FFE1 twice in one service.
  let twice = ObservedTable(connections: [
    connection(
      """
      > 10 01 00 FF FF 00 28
      < 11 06 01 00 FF FF E0 FF
      > 08 01 00 FF FF 03 28
      < 09 07 02 00 0C 03 00 E1 FF 04 00 12 05 00 E1 FF
      > 04 06 00 FF FF
      < 05 01 06 00 02 29
      > 04 07 00 FF FF
      < 01 04 07 00 0A
      > 52 03 00 AA
      < 1B 05 00 41
      > 12 09 00 01
      """)
  ])

  @Test func `discovery gives services, characteristics and descriptors`() {
    #expect(twice.services.map(\.uuid.uuid) == [0xFFE0])
    #expect(twice.services.first?.endHandle == 0xFFFF)
    #expect(twice.characteristics.map(\.valueHandle) == [3, 5])
    #expect(twice.characteristics.map(\.properties) == [[.writeWithoutResponse, .write], [.read, .notify]])
    #expect(twice.characteristics.map(\.descriptors).map { $0.map(\.handle) } == [[], [6]])
    #expect(twice.undeclared == [9])
  }

  @Test func `a UUID that two characteristics have is an id with the handle`() {
    #expect(twice.id(of: 3) == "FFE1-0003")
    #expect(twice.id(of: 6) == "FFE1-0005")
    #expect(twice.id(of: 9) == nil)
  }
}

// MARK: What discovery does not tell

extension ObservedTableTests {
  /// A service that ends with 000B: FFE1 has the value 0005 and one descriptor, FFE2 the value 0008 and three.
  static let discovery = """
    > 10 01 00 FF FF 00 28
    < 11 06 03 00 0B 00 E0 FF
    > 08 03 00 0B 00 03 28
    < 09 07 04 00 10 05 00 E1 FF 07 00 10 08 00 E2 FF

    """

  @Test(
    arguments: [
      ("the only descriptor", "> 12 06 00 01 00\n< 13", [6], []),
      ("one of several", "> 12 09 00 01 00\n< 13", [], [9]),
      ("refused", "> 12 06 00 01 00\n< 01 12 06 00 03", [], [6]),
      ("of another length", "> 12 06 00 01\n< 13", [], [6]),
      ("not answered", "> 12 06 00 01 00", [], [6]),
      ("no attribute", "> 12 10 00 01 00\n< 01 12 10 00 01", [], []),
    ] as [(String, String, [UInt16], [UInt16])])
  func `the only descriptor of a characteristic that notifies is the CCCD`(
    name: String, lines: String, configurations: [UInt16], undeclared: [UInt16]
  ) {
    let table = ObservedTable(connections: [connection(Self.discovery + lines)])
    let descriptors = table.characteristics.flatMap(\.descriptors)
    #expect(descriptors.filter { $0.uuid == 0x2902 }.compactMap(\.handle) == configurations)
    #expect(table.undeclared == undeclared)
    #expect(table.characteristics.first?.hasAllDescriptors == !configurations.isEmpty)
  }
}

// MARK: Discovery in other ways

extension ObservedTableTests {
  /// Handles, UUIDs and properties, one attribute a line.
  static func lines(_ table: ObservedTable) -> [String] {
    table.services.flatMap { service in
      let head = "\(service.handle ?? 0)-\(service.endHandle ?? 0) \(service.isPrimary ? "" : "secondary ")"
      return [head + "\(service.uuid.uuid)\(service.uuid.isLong ? " long" : "")"]
        + service.includes.map { "  \($0.handle ?? 0) includes \($0.service?.first ?? 0)" }
        + service.characteristics.flatMap { characteristic in
          ["  \(characteristic.valueHandle ?? 0) \(characteristic.uuid.uuid)"]
            + characteristic.descriptors.map { "    \($0.handle ?? 0) \($0.uuid)" }
        }
    }
  }

  @Test func `discovery of parts, in any order and on several links, is one table`() {
    let table = ObservedTable(connections: [
      connection(
        """
        > 04 04 00 04 00
        < 05 01 04 00 02 29
        > 08 01 00 05 00 03 28
        < 09 07 02 00 10 03 00 E1 FF
        """),
      connection(
        """
        > 06 01 00 FF FF 00 28 E0 FF
        < 07 01 00 05 00
        > 10 06 00 FF FF 00 28
        < 11 14 06 00 09 00 FB 34 9B 5F 80 00 00 80 00 10 00 00 E2 FF 00 00
        > 08 06 00 09 00 02 28
        < 09 08 07 00 10 00 12 00 0F 18
        > 08 06 00 09 00 03 28
        < 09 15 08 00 02 09 00 FB 34 9B 5F 80 00 00 80 00 10 00 00 E3 FF 00 00
        """),
      connection("> 0A 09 00\n< 0B 64\n> 0A 09 00\n< 01 0A 09 00 05"),
    ])
    #expect(
      Self.lines(table) == [
        "1-5 FFE0", "  3 FFE1", "    4 2902", "6-9 FFE2 long", "  7 includes 16", "  9 FFE3",
        "16-18 secondary 180F",
      ])
    #expect(table.characteristics.map(\.uuid.isLong) == [false, true])
    // Of FFE1, handle 5 is not known; FFE3 is at the end of its service.
    #expect(table.characteristics.map(\.hasAllDescriptors) == [false, true])
    #expect(
      table.characteristics.map(\.value.readings) == [
        [],
        [
          .init(.success([0x64]), at: Instant()),
          .init(.refused(.insufficientAuthentication), at: .milliseconds(2)),
        ],
      ])
    #expect(table.characteristics[1].value.first == [0x64])
  }
}
