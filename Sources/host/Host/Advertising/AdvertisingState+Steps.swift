import Bluetooth
import HCIPackets

extension AdvertisingState {
  /// First what has to leave the air, then one set after the other, so that each has a short gap.
  ///
  /// - Parameters:
  ///   - randomAddress: that of legacy advertising.
  ///   - isHeld: whether all sets have to pause.
  func nextStep(_ abilities: ControllerAbilities, randomAddress: DeviceAddress?, isHeld: Bool)
    -> AdvertisingStep?
  {
    let sets = isHeld ? [] : possible(abilities)
    if let step = stop(except: sets, abilities) { return step }
    for set in sets {
      let slot = abilities.slot(of: set)
      guard !isRefused(slot, set) else { continue }
      if !abilities.hasExtendedAdvertising, let address = set.address, address != randomAddress { continue }
      let action = present[slot].map { $0.nextAction(to: set, abilities) } ?? .setParameters(set)
      guard let action else { continue }
      if present[slot] == nil, isFull || present.count >= abilities.advertisingSetCount {
        if let surplus = surplus(besides: sets) {
          return AdvertisingStep(slot: surplus, wanted: nil, action: .remove)
        }
        // There is no room as long as the controller refuses to remove another set.
        if !isFull { continue }
      }
      return AdvertisingStep(slot: slot, wanted: set, action: action)
    }
    return nil
  }

  private func stop(except sets: [AdvertisingSet], _ abilities: ControllerAbilities) -> AdvertisingStep? {
    let slots = present.filter { slot, set in
      set.running != .off && !isRefused(slot, nil) && !sets.contains { $0.handle == set.owner }
    }.keys
    return slots.min().map { AdvertisingStep(slot: $0, wanted: nil, action: .disable) }
  }
}

extension PresentSet {
  /// The next action that brings the set to what is wanted.
  ///
  /// Parameters, the address, and data in several fragments need a set that is disabled (Vol 4 Part E 7.8.52 to 7.8.55). The rest
  /// changes while it advertises. The address of a set that is not connectable could, too, but RootCanal refuses that.
  fileprivate func nextAction(to set: AdvertisingSet, _ abilities: ControllerAbilities)
    -> AdvertisingStep.Action?
  {
    if let action = nextParameters(of: set, abilities) {
      return running == .off ? action : .disable
    }
    if abilities.hasExtendedAdvertising, let wanted = set.address, wanted != address {
      return running == .off ? .setAddress(wanted) : .disable
    }
    return nextData(of: set, abilities) ?? (running == .on ? nil : .enable(endings))
  }

  /// A set with data that the new parameters do not allow is removed (7.8.53).
  private func nextParameters(of set: AdvertisingSet, _ abilities: ControllerAbilities)
    -> AdvertisingStep.Action?
  {
    let action = AdvertisingStep.Action.setParameters(set)
    let step = AdvertisingStep(slot: abilities.slot(of: set), wanted: set, action: action)
    guard parameters != step.command(isExtended: abilities.hasExtendedAdvertising) else { return nil }
    let room = set.room(abilities)
    let fits = data.fits(room.advertisingData) && scanResponse.fits(room.scanResponse)
    return fits || !abilities.hasExtendedAdvertising ? action : .remove
  }

  private func nextData(of set: AdvertisingSet, _ abilities: ControllerAbilities) -> AdvertisingStep.Action? {
    let room = set.room(abilities)
    if room.advertisingData > 0, let fragment = data.nextFragment(of: set.data) {
      return isReady(for: set.data) ? .setData(set.data, fragment: fragment) : .disable
    }
    if room.scanResponse > 0, let fragment = scanResponse.nextFragment(of: set.scanResponse) {
      return isReady(for: set.scanResponse)
        ? .setScanResponse(set.scanResponse, fragment: fragment) : .disable
    }
    return nil
  }

  private func isReady(for bytes: [UInt8]) -> Bool {
    running == .off || AdvertisingFragment.fragments(of: bytes).count == 1
  }
}

extension ControllerAbilities {
  /// The place of a set in the controller.
  fileprivate func slot(of set: AdvertisingSet) -> UInt8 {
    hasExtendedAdvertising ? set.handle : AdvertisingState.legacySlot
  }
}
