import Bluetooth
import Captures

/// GATTacker's `….srv.json` and `….adv.json`, with UUIDs as noble writes them: 4 or 32 digits.
enum GATTackerFiles {
  static func services(_ json: JSONPlace) throws(ListingMistake) -> DeviceListing {
    var listing = DeviceListing(.gattackerServices)
    for service in try json.elements() {
      listing.add(
        service: try service.required("uuid").uuid(), at: try service.required("startHandle").handle(),
        upTo: try service["endHandle"]?.handle())
      for characteristic in try service.elements("characteristics") {
        try add(characteristic, to: &listing)
      }
    }
    listing.closeList()
    return listing
  }

  private static func add(_ characteristic: JSONPlace, to listing: inout DeviceListing) throws(ListingMistake)
  {
    let handle = try characteristic.required("valueHandle").handle()
    var properties: CharacteristicProperties = []
    for name in try characteristic.required("properties").elements() {
      guard let property = ListedText.property(try name.text()) else {
        throw name.mistake("'\(try name.text())' in '\(name.path)' is not a property")
      }
      properties.insert(property)
    }
    listing.add(
      characteristic: try characteristic.required("uuid").uuid(), properties,
      at: try characteristic.required("startHandle").handle(), value: handle)
    try listing.add(valueOf: characteristic, at: handle)
    try listing.add(descriptorsOf: characteristic)
  }

  static func advertisement(_ json: JSONPlace) throws(ListingMistake) -> DeviceListing {
    var listing = DeviceListing(.gattackerAdvertisement)
    listing.name = try json["decodedNonEditable"]?["localName"]?.text()
    listing.address = try json["id"]?.bytes().address
    listing.advertisements = [
      .init(
        .connectable, data: try json.required("eir").bytes(), scanResponse: try json["scanResponse"]?.bytes())
    ]
    return listing
  }
}

extension [UInt8] {
  fileprivate var address: LinkAddress? { DeviceAddress(self).map { LinkAddress($0) } }
}
