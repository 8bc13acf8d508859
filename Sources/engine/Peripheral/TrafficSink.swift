import Behavior
import EventLoop

/// Receives the traffic of a device. The call is on the path of the bytes, so slow work must wait for later.
@EventLoop
package protocol TrafficSink: AnyObject {
  /// Whether it takes ``TrafficEvent/Kind/frame(_:_:_:message:isSent:)``, too.
  var takesFrames: Bool { get }

  func take(_ event: TrafficEvent)
}

extension TrafficSink {
  package var takesFrames: Bool { false }
}
