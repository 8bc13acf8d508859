import Bluetooth

/// Advertises with another local name.
struct AdvertiseAs: FaultEffect {
  let name: String

  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? {
    var changed = advertisement
    changed.localName = name
    return changed
  }
}
