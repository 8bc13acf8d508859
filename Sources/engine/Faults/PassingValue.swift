import Behavior
import DeviceModel
import EventLoop

/// Values that keep their order: those of one place, in one direction.
struct FaultStream: Hashable {
  var endpoint: Endpoint
  var direction: Fault.Direction
}

/// A value on its way through the faults.
struct PassingValue {
  var bytes: [UInt8]
  let stream: FaultStream
  /// The central that has written it; nil: a value of the device or the wire side, or an unknown central.
  let central: Central?
  /// Takes bytes after the last fault. A value may become several.
  let deliver: @EventLoop ([UInt8]) -> Void
  /// Answers the request that carried the value, if no part of it has been delivered.
  let settle: @EventLoop () -> Void

  init(
    _ bytes: [UInt8], in stream: FaultStream, from central: Central? = nil,
    deliver: @escaping @EventLoop ([UInt8]) -> Void, settle: @escaping @EventLoop () -> Void = {}
  ) {
    (self.bytes, self.stream, self.central) = (bytes, stream, central)
    (self.deliver, self.settle) = (deliver, settle)
  }

  /// The same value with other bytes.
  func with(_ bytes: [UInt8]) -> PassingValue {
    var value = self
    value.bytes = bytes
    return value
  }
}
