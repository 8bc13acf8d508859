import Behavior
import EventLoop

/// Whether the values of an event left the device: decided by the first of them.
package enum SendResult: Hashable, Sendable {
  case sent
  /// The device could not encode them.
  case unsent(reason: String)
  /// The transport did not take them.
  case lost(reason: String)
}

extension LivePeripheral {
  /// The result of sending during `body`; nil: nothing was sent.
  package func sendResult(of body: () -> Void) -> SendResult? {
    guard let pipeline else {
      body()
      return nil
    }
    return pipeline.sendResult(of: body)
  }
}
