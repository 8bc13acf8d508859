import Bluetooth
import HCIPackets
import SecurityManager

/// What happens to a host.
package enum HostEvent: Hashable, Sendable {
  /// The controller is ready.
  case started(ControllerAbilities)
  /// The controller cannot be used any more. Nothing else follows.
  case failed(ControllerFailure)
  case connected(HostLink)
  /// The link has ended; `HCIError/localHost` if this side has asked for that.
  case disconnected(LinkHandle, HCIError)
  /// A whole PDU of ATT.
  case received(LinkHandle, [UInt8])
  /// PDUs waited for the controller, and none waits any more.
  case drained(LinkHandle)
  /// The link has other properties, or those that ``Host/measure(_:)`` asked for.
  case changed(LinkHandle, LinkChange)
  /// The peer keeps the parameters of the link.
  case parametersRefused(LinkHandle, ParameterRefusal)
  /// What has become of advertising, scanning or initiating.
  case radio(RadioEvent)
  /// A device advertises, while the host scans.
  case heard(AdvertisingReport)
  /// What the Security Manager reports of a link, or asks a person; nothing of what the host itself does for it.
  case security(LinkHandle, SecurityAction)
}

/// How other connection parameters were refused.
package enum ParameterRefusal: Hashable, Sendable {
  /// The central has rejected them.
  case rejected
  /// The central does not know such requests.
  case notUnderstood
  /// The central did not answer within 30 s.
  case noAnswer
  /// The controller has refused or failed, here or at the peer.
  case controller(HCIError)
}
