import Bluetooth
import EventLoop

/// Is silent, as a device out of range: it does not advertise, takes nothing, sends nothing and answers nothing.
///
/// No transport can be silent on the link layer, where the radios go on to acknowledge each other. So when a supervision
/// timeout would have ended the links, the device ends them.
struct Vanish: FaultEffect {
  /// How long the links last: a usual supervision timeout.
  let linkLifetime: Duration? = .seconds(2)

  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? { nil }

  var isSilent: Bool { true }

  var refusesConnections: Bool { true }
}
