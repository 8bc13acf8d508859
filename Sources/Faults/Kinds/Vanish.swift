import Bluetooth
import EventLoop

/// Makes the device silent, as if out of range: it does not advertise, send, receive or answer.
///
/// No transport can be silent on the link layer, where the radios keep acknowledging each other. So when a supervision
/// timeout would have ended the links, the device ends them.
struct Vanish: FaultEffect {
  /// How long the links last: a usual supervision timeout.
  let linkLifetime: Duration? = .seconds(2)

  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? { nil }

  var isSilent: Bool { true }

  var refusesConnections: Bool { true }
}
