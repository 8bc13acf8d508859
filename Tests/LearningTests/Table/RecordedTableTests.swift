import AttributeServer
import Bluetooth
import Captures
import DefinitionWriter
import Definitions
import DeviceModel
import Exact
import Learning
import TestSupport
import Testing

/// The tables of the recordings in `Tests/CapturesTests/Captures`, against `tables.txt`, which tshark has counted.
struct RecordedTableTests {
  static let names = ["jk-b1a20s15p", "jk-b5a24s", "jk-bd6a24s10p", "treadmill"]

  @Test(arguments: names) func `a table is the recorded one`(name: String) throws {
    let table = ObservedTable(connections: try recordedLinks("\(name).btsnoop"))
    #expect(Self.lines(of: table) == Self.counted(name))
    #expect(table.undeclared.isEmpty)
  }

  /// The table of `pairing-decrypted.pcap`, by tshark.
  static let sniffed = """
      0001..000B service 1800
        0003 (decl 0002) 2A00 [read]
        0005 (decl 0004) 2A01 [read]
        0007 (decl 0006) 2A02 [read]
        0009 (decl 0008) 2A03 [write]
        000B (decl 000A) 2A04 [read]
      000C..000F service 1801
        000E (decl 000D) 2A05 [indicate]
          000F 2902
      0010..001E service 180A
        0012 (decl 0011) 2A23 [read]
        0014 (decl 0013) 2A24 [read]
        0016 (decl 0015) 2A25 [read]
        0018 (decl 0017) 2A26 [read]
        001A (decl 0019) 2A27 [read]
        001C (decl 001B) 2A28 [read]
        001E (decl 001D) 2A29 [read]
      001F..002F service a8b3fff0-4834-4051-89d0-3de95cddd318
        0021 (decl 0020) a8b3fff1-4834-4051-89d0-3de95cddd318 [read, write]
          0022 2901
        0024 (decl 0023) a8b3fff2-4834-4051-89d0-3de95cddd318 [read]
          0025 2901
        0027 (decl 0026) a8b3fff3-4834-4051-89d0-3de95cddd318 [write]
          0028 2901
        002A (decl 0029) a8b3fff4-4834-4051-89d0-3de95cddd318 [notify]
          002B 2902
          002C 2901
        002E (decl 002D) a8b3fff5-4834-4051-89d0-3de95cddd318 [read]
          002F 2901
      0030..0039 service a8b3ffe0-4834-4051-89d0-3de95cddd318
        0032 (decl 0031) a8b3ffe1-4834-4051-89d0-3de95cddd318 [read]
          0033 2901
        0035 (decl 0034) a8b3ffe2-4834-4051-89d0-3de95cddd318 [read, write]
          0036 2901
        0038 (decl 0037) a8b3ffe3-4834-4051-89d0-3de95cddd318 [write]
          0039 2901
      003A..FFFF service f000ffc0-0451-4000-b000-000000000000
        003C (decl 003B) f000ffc1-0451-4000-b000-000000000000 [write-without-response, write, notify]
          003D 2902
          003E 2901
        0040 (decl 003F) f000ffc2-0451-4000-b000-000000000000 [write-without-response, write, notify]
          0041 2902
          0042 2901
    """.split(separator: "\n").map(String.init)

  @Test func `the table of a sniffed link is the recorded one`() throws {
    let table = ObservedTable(connections: try recordedLinks("pairing-decrypted.pcap"))
    #expect(Self.lines(of: table) == Self.sniffed)
    var learnt = LearntDefinition(name: "Board", summary: "")
    learnt.addServices(table)
    let database = AttributeDatabase(try loaded(learnt), name: "Board")
    #expect(database.problems.isEmpty)
    #expect(Self.lines(of: database) == Self.sniffed)
  }

  @Test(arguments: names) func `a learnt device has the recorded attributes`(
    name: String
  ) throws {
    let device = try recordedDevice("\(name).btsnoop")
    let table = ObservedTable(connections: device.connections)
    var learnt = LearntDefinition(name: name, summary: "")
    learnt.addServices(table)
    learnt.addAdvertisement(of: device, table)
    learnt.addLink(device.connections)
    let definition = try loaded(learnt)
    let database = AttributeDatabase(definition, name: name)
    #expect(database.problems.isEmpty)
    #expect(Self.lines(of: database) == Self.counted(name))
    if let packet = device.advertisements.first(where: { $0.kind == .connectable }) {
      let packets = ExactLimits().packets(of: try definition.advertised(in: definition.initialContext))
      #expect(packets?.advertisingData.bytes == packet.data)
      let response = device.advertisements.first { $0.kind == .scanResponse }
      #expect(packets?.scanResponse.bytes == response?.data)
    }
  }

  /// The lines of a recording in `tables.txt`.
  private static func counted(_ name: String) -> [String] {
    let bytes = Repository.bytes(ofFile: Repository.path + "Tests/CapturesTests/Captures/tables.txt") ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return lines.drop { $0 != "======== \(name).btsnoop" }.dropFirst().prefix { !$0.hasPrefix("=") }
      .filter { $0.hasPrefix("  ") }
  }

  private static func lines(of table: ObservedTable) -> [String] {
    table.services.flatMap { service in
      ["  \(hex(service.handle))..\(hex(service.endHandle)) service \(text(service.uuid))"]
        + service.characteristics.flatMap { characteristic in
          [
            line(
              of: characteristic.valueHandle, characteristic.handle, text(characteristic.uuid),
              characteristic.properties ?? [])
          ]
            + characteristic.descriptors.map {
              "      \(hex($0.handle)) \(text(.init($0.uuid, isLong: false)))"
            }
        }
    }
  }

  /// The same of the attributes that blemu's own server has.
  private static func lines(of database: AttributeDatabase) -> [String] {
    var declared: AttributeHandle?
    return database.attributes.compactMap { attribute in
      if case .constant(let value) = attribute.content {
        if attribute.type == 0x2800 {
          let end = hex(attribute.groupEnd)
          return "  \(hex(attribute.handle))..\(end) service \(text(value))"
        }
        if attribute.type == 0x2803, let found = CharacteristicDeclaration(value) {
          declared = found.valueHandle
          return line(
            of: found.valueHandle, attribute.handle, text(Array(value[3...])), found.properties)
        }
      }
      if attribute.handle == declared { return nil }
      return "      \(hex(attribute.handle)) \(text(.init(attribute.type, isLong: false)))"
    }
  }

  private static func line(
    of value: AttributeHandle?, _ declaration: AttributeHandle?, _ uuid: String,
    _ properties: CharacteristicProperties
  ) -> String {
    // tables.txt has the properties in this order.
    let order = ["read", "write-without-response", "write", "notify", "indicate"]
    let names = order.filter { properties.names.contains($0) }.joined(separator: ", ")
    return "    \(hex(value)) (decl \(hex(declaration))) \(uuid) [\(names)]"
  }

  private static func hex(_ handle: AttributeHandle?) -> String { handle?.hexadecimal(digits: 4) ?? "?" }

  private static func text(_ uuid: ObservedTable.DeclaredUUID) -> String {
    uuid.isLong || uuid.uuid.width == .bits128 ? uuid.uuid.fullText : uuid.uuid.description
  }

  private static func text(_ declared: [UInt8]) -> String {
    guard let uuid = BluetoothUUID(attributeTypeBytes: declared) else { return "?" }
    return text(.init(uuid, isLong: declared.count == 16))
  }
}

extension AttributeDatabase {
  init(_ definition: PeripheralDefinition, name: String) {
    let table = (try? definition.attributes(in: definition.initialContext)) ?? AttributeTable(services: [])
    self.init(definition, table, name: name)
  }
}

/// What the loader makes of a learnt definition: the device that was learnt. Its mistakes are issues.
func loaded(_ learnt: LearntDefinition) throws -> PeripheralDefinition {
  let written = try learnt.written()
  let files = Dictionary(uniqueKeysWithValues: written.dataFiles.map { ($0.name, $0.text) })
  let loaded = DefinitionLoader.load(
    SourceText(name: "learnt.yaml", text: written.text), folder: MemoryFolder(files: files))
  let device = try #require(loaded.definition, "\(loaded.report)\n\(written.text)")
  let names = learnt.device.tables.map(\.name) + learnt.device.variables.map(\.name)
  if names.contains("") {
    // The text has no parts without a name, so the others have other indices.
    #expect(try DefinitionWriter(device).write() == DefinitionWriter(learnt.device).write())
    return device
  }
  let (learnt, read) = (learnt.device.flattened.describedWithoutLayouts, device.describedWithoutLayouts)
  for (learnt, read) in zip(learnt, read) { try #require(learnt == read, "\(written.text)") }
  #expect(learnt.count == read.count)
  return device
}
