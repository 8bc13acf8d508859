import Bluetooth
import Captures

/// Profiles of WHAD, and `ble.json` of BLESPloit, which has the same keys and some of its own.
enum DeviceProfile {
  static func read(_ json: JSONPlace) throws(ListingMistake) -> DeviceListing {
    var listing = DeviceListing(.profile)
    for service in try json.required("services").elements() { try add(service, to: &listing) }
    listing.closeList()
    if let device = json["devinfo"] { try add(device: device, to: &listing) }
    return listing
  }

  private static func add(_ service: JSONPlace, to listing: inout DeviceListing) throws(ListingMistake) {
    let start = try service.required("start_handle").handle()
    listing.add(
      service: try service.required("uuid").uuid(),
      isPrimary: try service["type_uuid"]?.uuid().uuid != 0x2801, at: start,
      upTo: try service["end_handle"]?.handle())
    for characteristic in try service.elements("characteristics") {
      try add(characteristic: characteristic, to: &listing)
    }
  }

  private static func add(characteristic: JSONPlace, to listing: inout DeviceListing) throws(ListingMistake) {
    let value = try characteristic.required("value")
    let handle = try value.required("handle").handle()
    let properties = try characteristic.required("properties").number(in: 0...0xFF)
    listing.add(
      characteristic: try value.required("uuid").uuid(),
      CharacteristicProperties(rawValue: UInt16(properties)),
      at: try characteristic.required("handle").handle(), value: handle)
    try listing.add(valueOf: value, at: handle)
    try listing.add(descriptorsOf: characteristic)
  }

  private static func add(device: JSONPlace, to listing: inout DeviceListing) throws(ListingMistake) {
    let isRandom = try device["addr_type"]?.number(in: 0...0xFF) == 1
    listing.address = try device["bd_addr"]?.address(isRandom: isRandom)
    guard let data = try device["adv_data"]?.bytes() else { return }
    let response = try device["scan_rsp"]?.bytes()
    let kind = try kinds[device["pdu_type"]?.text() ?? ""] ?? .connectable
    listing.advertisements = [
      .init(kind, data: data, scanResponse: response?.isEmpty == true ? nil : response)
    ]
  }

  private static let kinds: [String: CapturedAdvertisement.Kind] = [
    "ADV_DIRECT_IND": .directed, "ADV_SCAN_IND": .scannable, "ADV_NONCONN_IND": .nonConnectable,
  ]
}
