import Bluetooth

/// Stops advertising. Connections remain.
struct StopAdvertising: FaultEffect {
  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? { nil }
}
