import Bluetooth
import HCIPackets

/// The advertising sets that are wanted, and those of the controller.
package struct AdvertisingState: Sendable {
  /// What should be on the air now, the most important first. After a link through one of them it begins again, unless the caller
  /// takes it out.
  package var wanted: [AdvertisingSet] = []
  /// What the controller has. Sets that are no longer wanted stay there, disabled, until there is no room.
  private(set) var present: [UInt8: PresentSet] = [:]
  private var refusals: [UInt8: Refusal<AdvertisingSet?>] = [:]
  /// Of directed advertising whose time with a high duty cycle is over, what it was.
  private var spent: [UInt8: AdvertisingSetParameters] = [:]
  /// Whether the controller can keep out all devices that are not wanted. Otherwise it lets all of them connect.
  var mayFilter = true
  /// Sets that the controller has lost and gets again, once until they advertise.
  private var lost: Set<UInt8> = []
  /// Whether the controller has no room for another set, though it announced more.
  private(set) var isFull = false

  /// The place in ``present`` of the only set of a controller without extended advertising.
  static let legacySlot: UInt8 = 0

  package init() {}

  var isActive: Bool { present.contains { $0.value.running != .off } }

  var usesAcceptList: Bool { present.contains { $0.value.running != .off && $0.value.isFiltered } }

  var needsAcceptList: Bool { usesAcceptList || mayFilter && wanted.contains(where: \.parameters.isFiltered) }

  /// The sets that the controller is able to advertise, as they should be now.
  func possible(_ abilities: ControllerAbilities) -> [AdvertisingSet] {
    judged(abilities).filter { $0.1.isEmpty }.map { set, _ in
      var set = set
      let isOver = spent[set.handle] == set.parameters
      if isOver, set.parameters.afterHighDutyCycle == .lowDutyCycle {
        set.parameters.properties.remove(.highDutyCycle)
      }
      if !mayFilter { set.parameters.isFiltered = false }
      return set
    }
  }
}

// MARK: The answers to commands

extension AdvertisingState {
  mutating func done(_ step: AdvertisingStep, _ abilities: ControllerAbilities) -> [RadioEvent] {
    let slot = step.slot
    if let wanted = step.wanted { present[slot]?.owner = wanted.handle }
    switch step.action {
    case .setParameters(let set):
      present[slot, default: PresentSet(owner: set.handle)].parameters = step.command(
        isExtended: abilities.hasExtendedAdvertising)
      present[slot]?.properties = set.parameters.properties
      present[slot]?.isFiltered = set.parameters.isFiltered
    case .setAddress(let address): present[slot]?.address = address
    case .setData(let bytes, let fragment): present[slot]?.data.took(fragment, of: bytes)
    case .setScanResponse(let bytes, let fragment): present[slot]?.scanResponse.took(fragment, of: bytes)
    case .enable(let endings): return enabled(slot, endings)
    case .disable: return disabled(slot, abilities)
    case .remove: (present[slot], isFull) = (nil, false)
    }
    return []
  }

  private mutating func enabled(_ slot: UInt8, _ endings: Int) -> [RadioEvent] {
    guard let owner = present[slot]?.owner else { return [] }
    let before = present[slot]?.running
    present[slot]?.enabled(endings)
    refusals[slot] = nil
    lost.remove(slot)
    return before == .off ? [.advertisingBegan(owner)] : []
  }

  private mutating func disabled(_ slot: UInt8, _ abilities: ControllerAbilities) -> [RadioEvent] {
    guard let owner = present[slot]?.owner else { return [] }
    present[slot]?.disabled()
    return possible(abilities).contains { $0.handle == owner } ? [] : [.advertisingStopped(owner)]
  }

  /// Returns the set, if the refusal is new and cannot be remedied at once.
  mutating func refused(_ step: AdvertisingStep, _ error: HCIError, _ abilities: ControllerAbilities)
    -> RadioPart?
  {
    let slot = step.slot
    if error == .unknownAdvertisingIdentifier, abilities.hasExtendedAdvertising {
      present[slot] = nil
      if lost.insert(slot).inserted { return nil }
    }
    if case .setParameters = step.action, error == .memoryCapacityExceeded,
      surplus(besides: possible(abilities)) != nil
    {
      isFull = true
      return nil
    }
    adjust(to: step, error)
    let isNew = refusals[slot].note(error, of: step.wanted)
    return isNew ? .set(step.wanted?.handle ?? present[slot]?.owner ?? slot) : nil
  }

  private mutating func adjust(to step: AdvertisingStep, _ error: HCIError) {
    switch step.action {
    case .setData(let bytes, _): present[step.slot]?.data.refused(bytes)
    case .setScanResponse(let bytes, _): present[step.slot]?.scanResponse.refused(bytes)
    case .setParameters, .setAddress, .remove:
      if error == .commandDisallowed { present[step.slot]?.doubt() }
    case .enable, .disable: break
    }
  }

  /// A set of the controller that may be removed for another one.
  func surplus(besides sets: [AdvertisingSet]) -> UInt8? {
    present.filter { slot, set in
      set.running == .off && !isRefused(slot, nil) && !sets.contains { $0.handle == slot }
    }.keys.min()
  }
}

// MARK: Events

extension AdvertisingState {
  /// The controller has stopped a set.
  mutating func ended(_ slot: UInt8, _ ending: HCIEvent.Ending) -> [RadioEvent] {
    guard let set = present[slot] else { return [] }
    present[slot]?.ended()
    let wanted = wanted.first { $0.handle == set.owner }
    switch ending {
    case .link(let link):
      spent[set.owner] = nil
      return [.advertisingConnected(set.owner, link)]
    case .error(.advertisingTimeout) where set.properties.contains(.highDutyCycle):
      spent[set.owner] = wanted?.parameters
      return [.advertisingTimedOut(set.owner)]
    case .error(let error):
      _ = refusals[slot].note(error, of: wanted)
      return [.advertisingFailed(set.owner, error)]
    }
  }

  mutating func lift(after occasion: Occasion) {
    for slot in refusals.keys { refusals[slot]?.lift(after: occasion) }
  }

  /// Forgets refusals of what is no longer wanted.
  mutating func forgetOldRefusals() {
    refusals = refusals.filter { _, refusal in refusal.wanted.map(wanted.contains) ?? false }
  }

  /// Whether the controller has refused this.
  func isRefused(_ slot: UInt8, _ wanted: AdvertisingSet?) -> Bool { refusals[slot]?.blocks(wanted) == true }
}
