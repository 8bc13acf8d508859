import Behavior
import EventLoop

/// Receives the traffic of a device. The call is on the path of the bytes, so slow work must wait for later.
@EventLoop
package protocol TrafficSink: AnyObject {
  /// Whether it takes ``TrafficEvent/Kind/frame(_:_:_:message:isSent:)``, too: those that are more than the value before them.
  var takesFrames: Bool { get }

  func take(_ event: consuming TrafficEvent)
}

extension TrafficSink {
  package var takesFrames: Bool { false }
}
