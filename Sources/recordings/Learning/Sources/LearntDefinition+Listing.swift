import Bluetooth
import DefinitionWriter
import Framing

extension LearntDefinition {
  /// Describes a device as other programs list it. Comments say what they do not.
  package mutating func add(_ listings: [DeviceListing]) {
    let table = listings.first(where: \.hasAttributes)?.table ?? ObservedTable()
    addServices(table)
    addUnseenAdvertisement(of: table)
    // What is said of a recording is said of a listing by its gaps.
    let remarks = origin.filter { !$0.hasPrefix("The recording ") }
    origin =
      ["From \(listings.map(\.format.name).joined(separator: " and "))."] + listings.gaps.map(\.sentence)
      + remarks
    for listing in listings { addFields(of: listing) }
  }

  /// What bluetoothctl shows of the advertisement.
  private mutating func addFields(of listing: DeviceListing) {
    guard listing.format == .bluetoothctl else { return }
    var entries: [YAMLValue.Entry] = []
    if let name = listing.name { entries.append(.init("local-name", .quoted(name))) }
    if !listing.manufacturerData.isEmpty {
      let data = listing.manufacturerData.map {
        YAMLValue.Entry($0.company.hexadecimal(digits: 4), .quoted(HexText.format($0.bytes)))
      }
      entries.append(.init("manufacturer-data", .map(data, .compact)))
    }
    if !entries.isEmpty { advertisement = .object(entries, .block) }
  }
}

extension DeviceListing {
  /// What the device calls itself: as listed, or in its attributes.
  package var deviceName: String? {
    let stored = table.characteristics.first { $0.uuid.uuid == 0x2A00 }?.value.first
    let text = stored.flatMap { String(validating: $0, as: UTF8.self) }
    return [name, text].lazy.compactMap { $0 }.first { !$0.isEmpty }
  }
}
