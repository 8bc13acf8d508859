import Bluetooth

/// Takes the device out of the range of all others.
struct LeaveRange: FaultEffect {
  func move(_ path: inout RadioPath) { path.isInRange = false }

  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? { nil }

  var refusesConnections: Bool { true }
}
