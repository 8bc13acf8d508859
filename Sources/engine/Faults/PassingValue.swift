import Behavior
import DeviceModel
import EventLoop
import Peripheral

/// Values that keep their order: those of one place, in one direction.
struct FaultStream: Hashable {
  var endpoint: Endpoint
  var direction: Fault.Direction
}

/// What has become of a value on its way through the faults.
///
/// Unless a fault strikes it or lets it wait, both sides have the same value at the same time.
@EventLoop
final class ValueCourse {
  private(set) var isStruck = false
  /// How it has been sent to centrals; nil: it waits or is lost.
  var outcome: SendOutcome?
  private var hasPassed = false
  private let onStrike: @EventLoop () -> Void

  /// - Parameter onStrike: called before the first fault that strikes it is reported, or when it begins to wait.
  init(onStrike: @escaping @EventLoop () -> Void) { self.onStrike = onStrike }

  func strike() {
    if isStruck { return }
    isStruck = true
    onStrike()
  }

  func pass() { hasPassed = true }

  /// It has entered all faults that do not hold it.
  func enter() { if !hasPassed { strike() } }
}

/// A value on its way through the faults.
struct PassingValue {
  var bytes: [UInt8]
  let stream: FaultStream
  /// The central that has written it; nil: a value of the device or the wire side, or an unknown central.
  let central: Central?
  /// What has become of it so far. All that it becomes shares this.
  let course: ValueCourse
  /// Takes bytes after the last fault. A value may become several.
  let deliver: @EventLoop ([UInt8]) -> Void
  /// Answers the request that carried the value, if no part of it has been delivered.
  let settle: @EventLoop () -> Void

  init(
    _ bytes: [UInt8], in stream: FaultStream, from central: Central? = nil, _ course: ValueCourse,
    deliver: @escaping @EventLoop ([UInt8]) -> Void, settle: @escaping @EventLoop () -> Void = {}
  ) {
    (self.bytes, self.stream, self.central, self.course) = (bytes, stream, central, course)
    (self.deliver, self.settle) = (deliver, settle)
  }

  /// The same value with other bytes.
  func with(_ bytes: [UInt8]) -> PassingValue {
    var value = self
    value.bytes = bytes
    return value
  }
}
