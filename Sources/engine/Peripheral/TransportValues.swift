import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// Sends values of a device to centrals, in its characteristics, in its channels and as their GATT client.
@EventLoop
package protocol TransportValues: AnyObject {
  /// The longest value that reaches all of these centrals whole, bytes: the smallest ATT_MTU of their links − 3; nil if
  /// there are no such centrals.
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int?

  /// Whether a value can go to this central only, of those that have subscribed.
  func canAddress(_ central: Central, from characteristic: Int) -> Bool

  /// Sends a value, to each central as its subscription requires. Values that cannot be sent at once wait in order.
  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients) -> SendOutcome

  /// Sends bytes in a channel: to one central, or to all that have opened it. What cannot be sent at once waits in order.
  ///
  /// - Returns: ``SendOutcome/notified``, or ``SendOutcome/nobodySubscribed`` if none of them has opened it.
  func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?) -> SendOutcome

  /// Closes a channel of one central, or of all, after the bytes that wait.
  func close(channel: Int, of central: Central?)

  /// Sends a PDU as it is: of the device as the GATT client of a central (a request, a command or a confirmation), or of a rule.
  ///
  /// - Returns: whether the transport can, and the central is connected.
  func sendPDU(_ packet: [UInt8], to central: Central) -> Bool

  /// Sends the values of an event that have waited to go together: called at the end of each event, for a device with
  /// ``LinkDefinition/multipleNotifications``.
  func sendJoinedValues()
}

/// A transport that sends its values itself.
extension BaseTransport where Self: TransportValues {
  package var values: any TransportValues { self }

  package func canAddress(_ central: Central, from characteristic: Int) -> Bool { true }

  /// A transport without channels.
  package func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?) -> SendOutcome {
    .nobodySubscribed
  }

  package func close(channel: Int, of central: Central?) {}

  /// A transport that keeps the attributes of centrals to itself.
  package func sendPDU(_ packet: [UInt8], to central: Central) -> Bool { false }

  package func sendJoinedValues() {}
}

/// The recipients of a value.
package enum Recipients: Hashable, Sendable {
  /// All centrals that have subscribed to the characteristic.
  case subscribers
  /// This central, if it has subscribed.
  case subscriber(Central)
  /// This central, by notification even if it has not subscribed, as some devices do. Not every transport can.
  case central(Central)
}

/// The outcome of sending a value.
package enum SendOutcome: Hashable, Sendable {
  /// Sent to at least one central as a notification.
  case notified
  /// Sent as indications only. Each confirmation is an ``Event/confirmed(_:characteristic:)``.
  case indicated
  /// Not sent: none of the recipients has subscribed.
  case nobodySubscribed
  /// Not sent: the recipients ask for Robust Caching, and do not know that the attributes have changed.
  case outOfSync
  /// Not sent: the links to the recipients are not protected as the characteristic needs it.
  case unprotected
  /// Not sent: the transport cannot send to a single central.
  case notAddressable
}
