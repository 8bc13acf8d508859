import Bluetooth
import HCIPackets

/// What has become of something wanted.
package enum RadioEvent: Hashable, Sendable {
  /// A set advertises, for the first time or again.
  case advertisingBegan(UInt8)
  /// A set that is no longer wanted has stopped.
  case advertisingStopped(UInt8)
  /// A link has begun through a set, which the controller has stopped. If it is still wanted, it begins again.
  case advertisingConnected(UInt8, LinkHandle)
  /// The 1.28 s of directed advertising with a high duty cycle are over.
  case advertisingTimedOut(UInt8)
  /// The controller has stopped a set for another reason.
  case advertisingFailed(UInt8, HCIError)
  /// The controller scans, or scans otherwise than before.
  case scanningBegan
  case scanningStopped
  /// The link that was wanted has begun. It is wanted no more.
  case initiated(ConnectionRequest, LinkHandle)
  /// The link that was wanted has not begun. It is wanted no more.
  case initiatingFailed(ConnectionRequest, HCIError)
  /// The link is no longer wanted, and the controller waits for it no more.
  case initiatingCancelled(ConnectionRequest)
  /// The controller has refused a command. It gets it again only after something has changed, and the same refusal is then no
  /// event.
  case refused(RadioPart, HCICommand, HCIError)
}

/// What a command was for.
package enum RadioPart: Hashable, Sendable {
  /// An advertising set, by its handle.
  case set(UInt8)
  case scanning
  case initiating
  case acceptList
  case resolvingList
  /// The random address of legacy advertising, scanning and initiating.
  case randomAddress
}
