import AttributeServer
import Bluetooth
import Captures
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

/// What the loader makes of a learnt definition; its mistakes are issues.
func loaded(_ learnt: LearntDefinition) throws -> PeripheralDefinition {
  let files = Dictionary(uniqueKeysWithValues: learnt.dataFiles.map { ($0.name, $0.text) })
  let loaded = DefinitionLoader.load(
    SourceText(name: "learnt.yaml", text: learnt.text), folder: MemoryFolder(files: files))
  return try #require(loaded.definition, "\(loaded.report)\n\(learnt.text)")
}
