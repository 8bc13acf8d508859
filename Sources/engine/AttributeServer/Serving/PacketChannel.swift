import Bluetooth
import EventLoop

/// The ATT channel to one central: whole PDUs in order, both ways.
@EventLoop
package protocol PacketChannel: AnyObject {
  /// Called with each PDU of the central. The channel keeps PDUs that arrive before this is set.
  var onReceive: (@EventLoop ([UInt8]) -> Void)? { get set }
  /// Called when PDUs waited, and none waits any more.
  var onEmpty: (@EventLoop () -> Void)? { get set }
  /// Whether PDUs wait because the central does not take them.
  var isCongested: Bool { get }
  /// How well the link is protected now.
  var security: LinkSecurity { get }
  /// Whether the key of a bond encrypts the link, and not one that both sides have made for this link only.
  var hasBondKey: Bool { get }

  /// Sends a PDU, or lets it wait in order.
  func send(_ packet: [UInt8])
  /// Closes the channel at once and drops waiting PDUs.
  func close()
}

extension PacketChannel {
  package var hasBondKey: Bool { false }
}
