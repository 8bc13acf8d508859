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

  /// The device whose advertisement it is.
  struct Device {
    /// The name of its definition.
    var name: String
    var adapter: DeviceAddress
    /// Its static random address; nil: it has the adapter's.
    var ownAddress: DeviceAddress?
  }

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
  var extendedKeys: [String] {
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
  /// What a set without an interval in the definition has: 100 ms.
  private static let usualInterval = AdvertisingInterval(units: 160)...AdvertisingInterval(units: 160)

  /// - Parameter number: 0 for the main one.
  fileprivate init(_ advertisement: Advertisement, number: Int, of device: AdvertisingPlan.Device) {
    let packets = ExactLayout(advertisement).packets
    var parameters = AdvertisingSetParameters(
      properties: advertisement.properties(packets),
      interval: advertisement.interval ?? Self.usualInterval)
    parameters.channels = advertisement.channels
    parameters.target = advertisement.target
    parameters.phy = advertisement.phy ?? .le1M
    parameters.identifier = UInt8(number)
    let address = advertisement.setAddress?.address(
      of: "\(device.name)/\(advertisement.name)", on: device.adapter)
    self.init(
      handle: Self.highestHandle - UInt8(number), parameters: parameters,
      address: address ?? device.ownAddress, data: packets.advertisingData.bytes,
      scanResponse: packets.scanResponse.bytes)
  }
}

extension Advertisement {
  fileprivate func properties(_ packets: AdvertisingPackets) -> AdvertisingSetParameters.Properties {
    var properties: AdvertisingSetParameters.Properties = phy == nil ? .legacy : []
    if isConnectable {
      properties.insert(.connectable)
      if target != nil { properties.insert(.directed) } else if phy == nil { properties.insert(.scannable) }
    } else if !packets.scanResponseFields.isEmpty || isScannable == true {
      properties.insert(.scannable)
    }
    return properties
  }
}
