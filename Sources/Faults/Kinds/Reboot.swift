import Behavior
import Bluetooth
import EventLoop

/// Starts the device again, which does not advertise until it is up.
struct Reboot: FaultEffect {
  /// How long that takes, unless the fault says so.
  static let duration = Duration.seconds(1)

  @EventLoop func begin(on device: any FaultyDevice, for central: Central?) { device.restart() }

  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? { nil }

  var refusesConnections: Bool { true }
}
