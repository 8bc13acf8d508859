import Bluetooth
import Captures

/// BLESPloit's `adv.json`: how a device advertises, in one set or in several.
enum AdvertisingProfiles {
  static func read(_ json: JSONPlace) throws(ListingMistake) -> DeviceListing {
    var listing = DeviceListing(.advertisingProfiles)
    for profile in try json.required("profiles").elements() where profile["enabled"]?.value.truth != false {
      let isLegacy = profile["legacy_pdu"]?.value.truth != false
      var advertisement = ListedAdvertisement(
        kind(profile, isLegacy: isLegacy), data: try profile.required("adv_data_hex").bytes(),
        scanResponse: try profile["scan_rsp_hex"]?.bytes())
      advertisement.interval = try profile["adv_interval_ms"]?.number(in: 1...0xFF_FFFF).milliseconds
      listing.advertisements.append(advertisement)
      let isRandom = try profile["addr_type"]?.text().hasPrefix("random")
      if listing.address == nil { listing.address = try profile["bd_addr"]?.address(isRandom: isRandom) }
    }
    return listing
  }

  private static func kind(_ profile: JSONPlace, isLegacy: Bool) -> CapturedAdvertisement.Kind {
    let isConnectable = profile["connectable"]?.value.truth != false
    let isScannable = profile["scannable"]?.value.truth ?? isLegacy
    guard isLegacy else {
      return .extended(isConnectable: isConnectable, isScannable: isScannable, isDirected: false)
    }
    return isConnectable ? .connectable : isScannable ? .scannable : .nonConnectable
  }
}

extension Int {
  fileprivate var milliseconds: Duration { .milliseconds(self) }
}
