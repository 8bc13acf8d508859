import Bluetooth
import DeviceModel

// What BlueZ leaves out of the kind of advertising.
extension AdvertisingCheck {
  /// A note for each key.
  func leftOut(_ layout: AdvertisingLayout) -> [Finding] {
    let template = definition.advertisement
    var messages: [(key: String, message: String)] = []
    if let isScannable = template.isScannable, isScannable == layout.packets.scanResponseFields.isEmpty {
      let answer =
        isScannable
        ? "does not answer scans, because it has no name" : "answers scans with its scan response"
      messages.append(("type", "with BlueZ the device \(answer)"))
    }
    if template.target != nil {
      messages.append(("directed", "with BlueZ every device sees it and may connect"))
    }
    if template.channels != .all { messages.append(("channels", "BlueZ advertises on all three channels")) }
    if template.phy != nil {
      messages.append(("phy", "BlueZ advertises with legacy packets, of 31 bytes, on LE 1M"))
    }
    if !template.packetBytes.isEmpty {
      messages.append(("packets", "BlueZ sends only whole AD structures, and not these bytes"))
    }
    if template.crowd > 1 { messages.append(("crowd", "BlueZ sends only the first advertiser")) }
    if !template.furtherSets.isEmpty { messages.append(("sets", "BlueZ sends only the main advertisement")) }
    return messages.map {
      Finding(
        .note, $0.message, at: .advertisement(key: $0.key), hint: "--on exact follows the definition")
    }
  }

  var addressFindings: [Finding] {
    switch definition.advertisement.address {
    case nil, .fixed(.adapter): []
    case .some where definition.advertisement.crowd > 1: []
    case .some(let address):
      [
        Finding(
          .note, "BlueZ gives the device the adapter's address", at: .advertisement(key: "address"),
          hint: address.period == nil ? "--on exact gives it this one" : "--on exact gives it private ones")
      ]
    }
  }
}
