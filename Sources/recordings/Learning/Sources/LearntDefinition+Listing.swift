import Bluetooth
import DeviceModel
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
    guard listing.format == .bluetoothctl, listing.name != nil || !listing.manufacturerData.isEmpty else {
      return
    }
    comments["advertisement/local-name"] = nil
    let name = listing.name.flatMap { LearntText.read(Array($0.utf8), isExpected: true) }
    device.advertisement.localName = name.map {
      .init(content: ValueTemplate(learnt: $0, form: .text(ignoringCase: false)))
    }
    device.advertisement.manufacturerData = listing.manufacturerData.map {
      .init(content: ($0.company, ValueTemplate(learnt: HexText.format($0.bytes))))
    }
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
