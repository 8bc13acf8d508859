import Behavior
import Bluetooth
import EventLoop
import HCIPackets

/// A link as the controller reports it.
@EventLoop
final class WatchedLink {
  let handle: LinkHandle
  var parameters: ConnectionParameters
  var phys: Directions<PHY>?
  /// Why it has ended; nil: it has not, or the controller has not reported it.
  var reason: HCIError?
  /// Whether the central has wanted to encrypt it with a key that this machine does not have.
  var lacksKey = false
  /// Its central as the kernel knows it; nil: it has no channel yet.
  var central: Central?
  var measuring: EventLoop.Timer?
  /// Asks for other parameters when it fires.
  var asking: EventLoop.Timer?
  /// How often the central did not know the link yet when it was asked.
  var earlyQuestions = 0

  init(_ handle: LinkHandle, _ parameters: ConnectionParameters) {
    (self.handle, self.parameters) = (handle, parameters)
  }
}
