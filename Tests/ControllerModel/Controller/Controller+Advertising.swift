import Bluetooth
import Framing

extension Controller {
  /// The advertising that is due first.
  var nextAdvertising: (handle: Int, due: Instant)? {
    let due = state.advertisers.compactMap { handle, set in set.due.map { (handle: handle, due: $0) } }
    return due.min { ($0.due, $0.handle) < ($1.due, $1.handle) }
  }

  var hasRoomForLink: Bool { state.links.count < traits.linkCount }

  /// The first advertising event comes at once, except for the random delay.
  mutating func firstAdvertisingEvent() -> Instant { now.advanced(by: .microseconds(advertisingDelay())) }

  /// advDelay: 0 to 10 ms (Vol 6 Part B 4.4.2.2).
  private mutating func advertisingDelay() -> Int64 { random.number(below: 10_001) }

  /// The address that a set advertises with.
  func advertisedAddress(_ handle: Int) -> LinkAddress? {
    guard let set = state.advertisers[handle] else { return nil }
    return ownAddress(
      type: set.ownAddressType, random: handle == Self.legacyHandle ? state.randomAddress : set.randomAddress)
  }

  /// Counts an advertising event, and plans the next one.
  mutating func finishAdvertisingEvent(_ handle: Int) {
    guard let set = state.advertisers[handle], var activity = set.activity else { return }
    activity.eventCount = activity.eventCount == .max ? .max : activity.eventCount + 1
    let delay = set.properties.contains(.highDuty) ? 0 : advertisingDelay()
    activity.nextEvent = now.advanced(by: .microseconds(set.interval + delay))
    state.advertisers[handle]?.activity = activity
    if activity.mostEvents != 0, activity.eventCount >= activity.mostEvents {
      endAdvertising(handle, .limitReached)
    }
  }

  /// Ends advertising whose time is over: a set with an event of its own, directed advertising of the legacy commands with LE
  /// Connection Complete (Vol 4 Part E 7.8.9).
  mutating func endAdvertising(_ handle: Int, _ reason: HCIError) {
    guard handle == Self.legacyHandle else { return terminate(handle, reason) }
    state.advertisers[handle]?.activity = nil
    reportFailedConnection(reason, role: .peripheral, peer: state.advertisers[handle]?.target)
  }

  /// LE Advertising Set Terminated (7.7.65.18).
  ///
  /// - Parameter link: the handle of the link that ended it.
  mutating func terminate(_ handle: Int, _ status: HCIError, link: UInt16 = 0) {
    guard let activity = state.advertisers[handle]?.activity else { return }
    state.advertisers[handle]?.activity = nil
    guard handle != Self.legacyHandle else { return }
    let count = status == .limitReached || activity.mostEvents != 0 ? activity.eventCount : 0
    emitLowEnergy(
      0x12, [status.rawValue, UInt8(handle)] + link.littleEndianBytes + [count])
  }
}
