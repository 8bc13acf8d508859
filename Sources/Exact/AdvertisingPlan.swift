import Bluetooth
import HCIPackets
import Management

/// How an advertisement is divided between the kernel and blemu, which has advertising sets of its own.
///
/// The kernel's management interface has no directed advertising and no channels, takes at most 251 bytes, and gives a
/// device that is not connectable a random address that changes. Everything else stays with it.
struct AdvertisingPlan {
  /// The part that the kernel sends; nil: none.
  var main: Advertisement?
  /// Those with addresses of their own come first.
  var sets: [AdvertisingSet] = []

  typealias Device = AdvertisingSet.Device

  /// Nothing.
  init() {}

  init(_ wanted: Advertisement, of device: Device, hasExtendedAdvertising: Bool) {
    let further = wanted.furtherSets.enumerated().map { index, set in
      AdvertisingSet(set, number: index + 1, of: device)
    }
    sets = further.filter { $0.address != device.ownAddress }
    sets += further.filter { $0.address == device.ownAddress }
    let main = wanted.withoutFurtherSets
    let hasFixedAddress = !main.isConnectable && device.ownAddress != nil
    if main.needsOwnSet || hasFixedAddress && hasExtendedAdvertising {
      sets.append(AdvertisingSet(main, number: 0, of: device))
    } else {
      self.main = main
    }
  }
}

extension Advertisement {
  /// Whether the kernel's management interface cannot send it.
  fileprivate var needsOwnSet: Bool { channels != .all || target != nil || phy != nil }

  /// The keys of a definition that need extended advertising.
  package var extendedKeys: [String] {
    let keys = [
      ("channels", channels != .all), ("directed", target != nil), ("phy", phy != nil),
      ("sets", !furtherSets.isEmpty),
    ]
    return keys.filter(\.1).map(\.0)
  }

  /// The PHYs that the controller must have.
  var phys: Set<AdvertisingPHY> { Set(([phy] + furtherSets.map(\.phy)).compactMap(\.self)) }
}

extension AdvertisingSet {
  /// The highest handle: Linux uses those from 0 up.
  static let highestHandle: UInt8 = 0xEF

  /// - Parameter number: 0 for the main one.
  fileprivate init(_ advertisement: Advertisement, number: Int, of device: Device) {
    self.init(
      advertisement, ExactLayout(advertisement).packets, handle: Self.highestHandle - UInt8(number),
      number: number, of: device)
  }
}
