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

extension Pipeline {
  func note(_ result: SendResult) {
    if sendResult == nil { sendResult = result }
  }

  func tell(_ remark: Remark) {
    if case .unsent(_, let reason) = remark { note(.unsent(reason: reason)) }
    report(TrafficEvent.Kind(remark, in: names))
  }
}

extension LivePeripheral {
  /// The result of sending during `body`; nil: nothing was sent.
  package func sendResult(of body: () -> Void) -> SendResult? {
    pipeline?.sendResult = nil
    body()
    return pipeline?.sendResult
  }
}
