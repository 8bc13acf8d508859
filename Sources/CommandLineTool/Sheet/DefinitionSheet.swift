import Bluetooth
import BlueZLimits
import DeviceModel
import Framing

/// A definition as a central will see it, on one page.
struct DefinitionSheet {
  let text: String

  /// - Throws: when the advertisement has no bytes with these settings, or the serial side no speed.
  init(_ choice: DefinitionChoice) throws {
    let layout = try Self.layout(choice, addressByte: 0)
    let usesAddress = try Self.layout(choice, addressByte: 0xFF) != layout
    let sections = [
      Self.head(choice), Self.advertising(layout, usesAddress), try Self.attributes(choice),
      try Self.wire(choice), BehaviorSheet(choice).text,
    ]
    text = sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func attributes(_ choice: DefinitionChoice) throws -> String {
    let context = choice.definition.context(
      settings: choice.settings, address: DeviceAddress([0, 0, 0, 0, 0, 0])!)
    let table = try choice.definition.attributes(in: context)
    if let problem = BlueZLimits().problem(with: table, of: choice.definition) {
      throw CommandError.badSettings(problem: problem)
    }
    return AttributeSheet(choice.definition, table).text
  }

  private static func layout(_ choice: DefinitionChoice, addressByte: UInt8) throws -> AdvertisingPackets {
    let address = DeviceAddress(Array(repeating: addressByte, count: 6))!
    let context = choice.definition.context(settings: choice.settings, address: address)
    return BlueZLimits().packets(of: try choice.definition.advertised(in: context)) ?? AdvertisingPackets()
  }

  private static func head(_ choice: DefinitionChoice) -> String {
    let summary = choice.definition.summary
    return "\(choice.definition.name) (\(choice.path))\n" + (summary.isEmpty ? "" : summary + "\n")
  }

  private static func wire(_ choice: DefinitionChoice) throws -> String {
    guard choice.definition.hasWireSide else { return "" }
    let address = DeviceAddress(Array(repeating: 0, count: 6))!
    let context = choice.definition.context(settings: choice.settings, address: address)
    let speed = try choice.definition.wire.baud(in: context).map { "  at \($0) baud\n" } ?? ""
    return "serial side\n  \(ends(of: choice.definition))\n" + speed
  }

  private static func ends(of definition: PeripheralDefinition) -> String {
    guard let bridge = definition.wire.bridge else { return "for rules" }
    let (inlet, outlet) = (
      definition.characteristics[bridge.inlet].id, definition.characteristics[bridge.outlet].id
    )
    return inlet == outlet
      ? "carries the bytes of \(inlet)" : "carries what is written to \(inlet), and back from \(outlet)"
  }
}

extension String {
  /// With blanks up to a width, at least two.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(2, width - count)) }
}

// MARK: Advertising

extension DefinitionSheet {
  private static func advertising(_ layout: AdvertisingPackets, _ usesAddress: Bool) -> String {
    var text = packet("advertising data", layout.advertisingFields)
    text += packet("scan response", layout.scanResponseFields)
    for field in layout.omittedFields {
      text += "  not sent, for want of room: \(field.content.rawValue) (\(field.size) bytes)\n"
    }
    if usesAddress { text += "  the adapter's address is shown as 00 00 00 00 00 00\n" }
    for problem in layout.remarks { text += "  \(problem)\n" }
    return text
  }

  private static func packet(_ name: String, _ fields: [AdvertisingField]) -> String {
    let bytes = fields.flatMap(\.structure.bytes)
    let head = "\(name), \(bytes.count) of \(AdvertisingData.legacyCapacity) bytes\n"
    guard !bytes.isEmpty else { return head }
    return head + "  \(ruler(bytes.count))\n  \(HexText.format(bytes))\n\n"
      + PacketDrawing(fields).lines.map { "  \($0)\n" }.joined()
  }

  /// The index of every fifth byte, above it.
  private static func ruler(_ count: Int) -> String {
    var ruler = ""
    for index in stride(from: 0, to: count, by: 5) {
      ruler += String(repeating: " ", count: 3 * index - ruler.count) + String(index)
    }
    return ruler
  }
}
