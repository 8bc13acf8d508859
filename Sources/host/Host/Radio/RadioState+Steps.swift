import Bluetooth
import HCIPackets

extension RadioState {
  /// The next step: what has to stop for an address or a list; the address and the list; what runs with them. Advertising
  /// stops last and begins first, because centrals notice its gaps.
  func nextStep() -> RadioStep? {
    let (address, list) = (nextRandomAddress, acceptList.nextStep(abilities))
    let keys = resolvingList.nextStep(abilities)
    let holdsInitiator = address != nil || keys != nil || list != nil && initiating.needsAcceptList
    let holdsScanner = address != nil || keys != nil || list != nil && scanning.needsAcceptList
    let holdsAdvertising = keys != nil || list != nil && advertising.needsAcceptList
    if holdsInitiator, let step = initiatingStep(isHeld: true) { return step }
    if holdsScanner, let step = scanningStep(isHeld: true) { return step }
    if holdsAdvertising, let step = advertisingStep(isHeld: true) { return step }
    if let address, !initiating.isActive, !scanning.isActive {
      guard !abilities.hasExtendedAdvertising else { return .randomAddress(address) }
      if let step = advertisingStep(isHeld: true) { return step }
      if !advertising.isActive { return .randomAddress(address) }
    }
    if let list, !initiating.usesAcceptList, !scanning.usesAcceptList, !advertising.usesAcceptList {
      return .acceptList(list)
    }
    if let keys, !initiating.isActive, !scanning.isActive, !advertising.isActive {
      return .resolvingList(keys)
    }
    return advertisingStep(isHeld: holdsAdvertising) ?? initiatingStep(isHeld: holdsInitiator)
      ?? scanningStep(isHeld: holdsScanner)
  }

  /// Legacy advertising decides first, then initiating, then scanning.
  var wantedRandomAddress: DeviceAddress? {
    let set = abilities.hasExtendedAdvertising ? nil : advertising.possible(abilities).first
    return set?.address ?? initiating.possible(abilities)?.address ?? scanning.possible(abilities)?.address
  }

  /// The random address that the controller has to get.
  private var nextRandomAddress: DeviceAddress? {
    guard let address = wantedRandomAddress, address != randomAddress.present,
      !randomAddress.refusal.blocks(address)
    else {
      return nil
    }
    return address
  }

  private func advertisingStep(isHeld: Bool) -> RadioStep? {
    advertising.nextStep(abilities, randomAddress: randomAddress.present, isHeld: isHeld)
      .map(RadioStep.advertising)
  }

  private func initiatingStep(isHeld: Bool) -> RadioStep? {
    initiating.nextStep(abilities, randomAddress: randomAddress.present, isHeld: isHeld)
      .map(RadioStep.initiating)
  }

  private func scanningStep(isHeld: Bool) -> RadioStep? {
    scanning.nextStep(abilities, randomAddress: randomAddress.present, isHeld: isHeld)
      .map(RadioStep.scanning)
  }
}
