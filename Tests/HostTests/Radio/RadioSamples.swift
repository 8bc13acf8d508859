import Bluetooth
import HCIPackets

@testable import Host

extension ControllerAbilities {
  /// Of Bluetooth 5, with 3 advertising sets.
  static let extended: Self = {
    var abilities = legacy
    abilities.lowEnergyFeatures = [.extendedAdvertising, .le2M, .leCoded]
    (abilities.advertisingSetCount, abilities.mostAdvertisingData) = (3, 1650)
    return abilities
  }()

  /// Of Bluetooth 4.
  static let legacy: Self = {
    var abilities = Self()
    abilities.address = DeviceAddress("00:1A:7D:DA:71:13")!
    abilities.acceptListSize = 4
    abilities.resolvingListSize = 4
    return abilities
  }()

  func with(_ change: (inout Self) -> Void) -> Self {
    var abilities = self
    change(&abilities)
    return abilities
  }
}

extension DeviceAddress {
  /// A static random address that ends with a byte.
  static func random(_ byte: UInt8) -> Self { Self([0xC0, 0x00, 0x5E, 0x00, 0x53, byte])! }
}

extension AdvertisingSet {
  /// A set with an interval of 100 ms.
  static func sample(
    _ handle: UInt8 = 1,
    _ properties: AdvertisingSetParameters.Properties = [
      .legacy, .connectable, .scannable,
    ], change: (inout Self) -> Void = { _ in }
  ) -> Self {
    let interval = AdvertisingInterval(units: 160)
    var set = Self(
      handle: handle,
      parameters: AdvertisingSetParameters(properties: properties, interval: interval...interval),
      data: [2, 1, 6], scanResponse: [])
    change(&set)
    return set
  }
}

extension ConnectionRequest {
  static func sample(_ peer: Peer = .device(LinkAddress(.random(9), .random))) -> Self {
    Self(
      peer,
      parameters: PreferredConnectionParameters(interval: 24...40, latency: 0, supervisionTimeout: 42))
  }
}

extension EstablishedLink {
  static func sample(
    _ handle: LinkHandle = 0x40, isCentral: Bool, peer: LinkAddress = LinkAddress(.random(9), .random)
  ) -> Self {
    Self(
      handle, isCentral: isCentral, peer: peer,
      parameters: ConnectionParameters(interval: 24, latency: 0, supervisionTimeout: 42))
  }
}
