import Behavior
import Bluetooth
import EventLoop

/// Restarts the device, which does not advertise until it is up.
struct Reboot: FaultEffect {
  /// How long a restart takes, unless the fault gives a duration.
  static let duration = Duration.seconds(1)

  @EventLoop func begin(on device: any FaultyDevice, for central: Central?) { device.restart() }

  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? { nil }

  var refusesConnections: Bool { true }
}
