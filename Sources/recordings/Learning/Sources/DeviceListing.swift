import Bluetooth
import Captures
import DeviceModel
import Framing

/// What another program has noted about a device: its attributes, and what it advertises.
package struct DeviceListing: Hashable, Sendable {
  package var format: ListingFormat
  package var name: String?
  /// A field of its advertisement.
  package var manufacturerData: [ManufacturerData] = []
  /// The discovery and the reads that would tell the same; empty for a format without handles.
  package var discovery = CapturedConnection(central: nil, start: nil)
  /// The services of a format without handles.
  var services: [ObservedTable.Service] = []
  /// The values of the characteristics whose properties are not known, by handle.
  var withoutProperties: Set<AttributeHandle> = []

  init(_ format: ListingFormat) { self.format = format }

  package var table: ObservedTable {
    guard services.isEmpty else {
      var table = ObservedTable()
      table.services = services
      return table
    }
    return ObservedTable(connections: [discovery]).withoutProperties(of: withoutProperties)
  }

  /// Whether it lists attributes at all.
  package var hasAttributes: Bool { !services.isEmpty || !discovery.events.isEmpty }

  package var hasHandles: Bool { !discovery.events.isEmpty }
}

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

extension ObservedTable {
  /// The table without the properties of the characteristics with these value handles.
  func withoutProperties(of handles: Set<AttributeHandle>) -> ObservedTable {
    guard !handles.isEmpty else { return self }
    var table = self
    for service in table.services.indices {
      for index in table.services[service].characteristics.indices
      where table.services[service].characteristics[index].valueHandle.map(handles.contains) == true {
        table.services[service].characteristics[index].properties = nil
      }
    }
    return table
  }
}
