import Bluetooth

/// Does not advertise. Connections go on.
struct StopAdvertising: FaultEffect {
  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? { nil }
}
