import Bluetooth
import HCIPackets

/// What is wanted of the radio and what the controller has. It names the next command that brings the two together.
///
/// The caller sets what is wanted at any time. It sends each command of ``nextCommand()``, and reports its Command Complete or
/// Command Status with ``completed(_:_:)`` before it asks for another. It also passes on the events of the controller.
///
/// The parts share some things of the controller. LE Set Random Address (Core Specification, Vol 4 Part E 7.8.4) is allowed only
/// while no legacy advertising, scanning or initiating is in progress, the accept list changes only while nothing uses it
/// (7.8.15), and the resolving list only while all of them pause (7.8.38). So the parts pause for these commands.
package struct RadioState: Sendable {
  package let abilities: ControllerAbilities
  package var advertising = AdvertisingState()
  package var scanning = ScanningState()
  package var initiating = InitiatingState()
  package var acceptList = AcceptListState()
  package var resolvingList = ResolvingListState()
  var randomAddress = RandomAddressState()
  private var pending: (command: HCICommand, step: RadioStep)?
  /// What was wanted at the last call of ``nextCommand()``.
  private var wishes: Wishes?
  /// Whether there was nothing to do then, and nothing has happened since.
  private var isSettled = false

  /// - Parameter abilities: of a controller that has just been reset.
  package init(_ abilities: ControllerAbilities) { self.abilities = abilities }

  /// The controller has been reset. All that is wanted stays wanted.
  package mutating func reset() {
    let old = self
    self = Self(abilities)
    advertising.wanted = old.advertising.wanted
    scanning.wanted = old.scanning.wanted
    initiating.wanted = old.initiating.wanted
    acceptList.wanted = old.acceptList.wanted
    resolvingList.wanted = old.resolvingList.wanted
  }
}

// MARK: Commands

extension RadioState {
  /// The next command. While nothing changes, a call costs next to nothing.
  ///
  /// - Returns: nil if the controller has what is wanted, or if nothing can be done before an event; also while the answer to the
  ///   last command is to come.
  package mutating func nextCommand() -> HCICommand? {
    guard pending == nil else { return nil }
    let wishes = Wishes(of: self)
    if self.wishes != wishes { changedWish() } else if isSettled { return nil }
    self.wishes = wishes
    advertising.mayFilter = acceptList.isUsable(abilities) && resolvingList.isUsable(abilities)
    guard let step = nextStep() else {
      isSettled = true
      return nil
    }
    let command = step.command(abilities)
    if case .initiating(let step) = step { initiating.begin(step) }
    pending = (command, step)
    return command
  }

  /// Takes the answer to the command of ``nextCommand()``. An answer to any other command has no effect.
  ///
  /// - Parameter error: nil: the command has been carried out, or has begun.
  package mutating func completed(_ command: HCICommand, _ error: HCIError?) -> [RadioEvent] {
    guard let step = pending?.step, pending?.command == command else { return [] }
    (pending, isSettled) = (nil, false)
    guard let error else { return done(step) }
    if case .initiating(.cancel) = step { return initiating.cancelRefused() }
    return refused(step, error).map { [.refused($0, command, error)] } ?? []
  }

  private mutating func done(_ step: RadioStep) -> [RadioEvent] {
    switch step {
    case .advertising(let step): return advertising.done(step, abilities)
    case .scanning(let step): return scanning.done(step, abilities)
    case .initiating(let step): return initiating.done(step)
    case .acceptList(let step): acceptList.done(step)
    case .resolvingList(let step): resolvingList.done(step)
    case .randomAddress(let address): randomAddress = RandomAddressState(present: address)
    }
    return []
  }

  /// Returns what the command was for, if the refusal is new.
  private mutating func refused(_ step: RadioStep, _ error: HCIError) -> RadioPart? {
    switch step {
    case .advertising(let step): advertising.refused(step, error, abilities)
    case .scanning(let step): scanning.refused(step, error) ? .scanning : nil
    case .initiating: initiating.refused(error) ? .initiating : nil
    case .acceptList: acceptList.refused(error) ? .acceptList : nil
    case .resolvingList: resolvingList.refused(error) ? .resolvingList : nil
    case .randomAddress(let address): randomAddress.refusal.note(error, of: address) ? .randomAddress : nil
    }
  }
}

// MARK: Events

extension RadioState {
  /// Takes an event of the controller. Those of links and of advertising sets have an effect.
  package mutating func take(_ event: HCIEvent) -> [RadioEvent] {
    isSettled = false
    switch event {
    case .connected(let link):
      lift(after: .other)
      return link.isCentral ? initiating.began(link) : legacyAdvertisingEnded(.link(link.handle))
    case .connectionFailed(let error):
      lift(after: .other)
      return error == .advertisingTimeout
        ? legacyAdvertisingEnded(.error(error)) : initiating.failed(error)
    case .disconnected:
      lift(after: .linkEnded)
      return []
    case .advertisingSetEnded(let handle, let ending) where abilities.hasExtendedAdvertising:
      lift(after: .other)
      return advertising.ended(handle, ending)
    default: return []
    }
  }

  /// Legacy advertising ends with the event of the link (Vol 4 Part E 7.8.9), a set with one of its own.
  private mutating func legacyAdvertisingEnded(_ ending: HCIEvent.Ending) -> [RadioEvent] {
    abilities.hasExtendedAdvertising ? [] : advertising.ended(AdvertisingState.legacySlot, ending)
  }

  /// What was refused and is not wanted now may be tried when it is wanted again, and what does not stop may be stopped.
  private mutating func changedWish() {
    lift(after: .changedWish)
    advertising.forgetOldRefusals()
    if scanning.wanted == nil || scanning.refusal?.wanted != scanning.wanted { scanning.refusal = nil }
    if initiating.refusal?.wanted != initiating.wanted { initiating.refusal = nil }
    if acceptList.refusal?.wanted != acceptList.wanted { acceptList.refusal = nil }
    if resolvingList.refusal?.wanted != resolvingList.wanted { resolvingList.refusal = nil }
    if randomAddress.refusal?.wanted != wantedRandomAddress { randomAddress.refusal = nil }
  }

  private mutating func lift(after occasion: Occasion) {
    advertising.lift(after: occasion)
    scanning.refusal?.lift(after: occasion)
    initiating.refusal?.lift(after: occasion)
    acceptList.refusal?.lift(after: occasion)
    resolvingList.refusal?.lift(after: occasion)
    randomAddress.refusal?.lift(after: occasion)
  }
}

// MARK: Addresses

extension RadioState {
  /// The random address that a set has in the controller, which may be an earlier one than is wanted; nil: it has the public one.
  func address(of set: UInt8) -> DeviceAddress? {
    guard let wanted = advertising.wanted.first(where: { $0.handle == set })?.address else { return nil }
    let present = abilities.hasExtendedAdvertising ? advertising.present[set]?.address : randomAddress.present
    return present ?? wanted
  }
}
