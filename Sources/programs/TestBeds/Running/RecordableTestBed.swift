import AttributeServer
import Behavior
import EventLoop
import Framing
import Peripheral

/// A test bed that can record its conversations, and can put a double in the place of the device.
@EventLoop
package protocol RecordableTestBed: TestBed {
  /// Records what each device hears and says, if the transport can be recorded.
  var recorder: (any AirRecorder)? { get set }
  /// Also receives the device's events.
  var furtherSink: (any TrafficSink)? { get set }
  /// The device that plays the part of the definition; nil: the definition itself. It has its own initial settings, and the
  /// central joins and decodes values as the definition says.
  var standIn: StandIn? { get set }
  /// The time of all devices so far, one after the other.
  var total: Instant { get }
}
