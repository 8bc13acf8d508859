import Bluetooth
import Captures
import DefinitionWriter
import Framing

extension LearntDefinition {
  /// Describes a device as other programs list it. Comments say what they do not.
  package mutating func add(_ listings: [DeviceListing]) {
    let table = listings.first(where: \.hasAttributes)?.table ?? ObservedTable()
    addServices(table)
    addAdvertisement(of: listings.device, table)
    // What is said of a recording is said of a listing by its gaps.
    let remarks = origin.filter { !$0.hasPrefix("The recording ") }
    origin =
      ["From \(listings.map(\.format.name).joined(separator: " and "))."] + listings.gaps.map(\.sentence)
      + remarks
    for listing in listings { addFields(of: listing) }
  }

  /// What a listing knows beside packets.
  private mutating func addFields(of listing: DeviceListing) {
    if let interval = listing.advertisements.first?.interval,
      case .object(var entries, let style)? = advertisement
    {
      let (seconds, attoseconds) = interval.components
      let time = YAMLValue.word("\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms")
      entries.append(.init("interval", .object([.init("min", time), .init("max", time)], .compact)))
      advertisement = .object(entries, style)
    }
    guard listing.advertisements.isEmpty, listing.format == .bluetoothctl else { return }
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

extension [DeviceListing] {
  /// The device with its advertising, as if each packet had been received once.
  fileprivate var device: CapturedDevice {
    var device = CapturedDevice(address: lazy.compactMap(\.address).first)
    for (index, listed) in flatMap(\.advertisements).enumerated() {
      let set = index == 0 ? nil : UInt8(truncatingIfNeeded: Swift.min(index, 15))
      for (kind, data) in [(listed.kind, listed.data), (.scanResponse, listed.scanResponse)] {
        guard let data else { continue }
        var packet = CapturedAdvertisement(time: Instant(), kind: kind, data: data)
        packet.set = set
        device.advertisements.append(packet)
      }
    }
    return device
  }
}

extension DeviceListing {
  /// What the device calls itself: as listed, in its advertising, or in its attributes.
  package var deviceName: String? {
    let packets = advertisements.flatMap { [$0.data] + ($0.scanResponse.map { [$0] } ?? []) }
    let structures = packets.flatMap { AdvertisingData(parsing: $0).structures }
    let advertised = structures.first { [.completeLocalName, .shortenedLocalName].contains($0.type) }?.value
    let stored = table.characteristics.first { $0.uuid.uuid == 0x2A00 }?.value.first
    let text = (advertised ?? stored).flatMap { String(validating: $0, as: UTF8.self) }
    return [name, text].lazy.compactMap { $0 }.first { !$0.isEmpty }
  }
}
