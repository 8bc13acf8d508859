import Bluetooth
import HCIPackets

/// A command for one part of the radio.
enum RadioStep: Hashable, Sendable {
  case advertising(AdvertisingStep)
  case scanning(ScanningStep)
  case initiating(InitiatingStep)
  case acceptList(AcceptListStep)
  case resolvingList(ResolvingListStep)
  case randomAddress(DeviceAddress)

  func command(_ abilities: ControllerAbilities) -> HCICommand {
    switch self {
    case .advertising(let step): step.command(isExtended: abilities.hasExtendedAdvertising)
    case .scanning(let step): step.command
    case .initiating(let step): step.command(isExtended: abilities.hasExtendedAdvertising)
    case .acceptList(let step): step.command
    case .resolvingList(let step): step.command
    case .randomAddress(let address): .setRandomAddress(address)
    }
  }
}

/// All that is wanted of the radio.
struct Wishes: Hashable, Sendable {
  private let sets: [AdvertisingSet]
  private let scan: Scan?
  private let request: ConnectionRequest?
  private let acceptList: [LinkAddress]
  private let resolvingList: [AcceptedPeer]

  init(of radio: RadioState) {
    (sets, scan) = (radio.advertising.wanted, radio.scanning.wanted)
    (request, acceptList) = (radio.initiating.wanted, radio.acceptList.wanted)
    resolvingList = radio.resolvingList.wanted
  }
}

/// The address of LE Set Random Address.
struct RandomAddressState: Hashable, Sendable {
  var present: DeviceAddress?
  var refusal: Refusal<DeviceAddress>?
}
