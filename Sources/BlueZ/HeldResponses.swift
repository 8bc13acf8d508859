import DBus
import EventLoop

/// Answers to write requests that are given later, so that whoever writes waits.
@EventLoop
final class HeldResponses {
  /// No answer waits longer: a central takes the link for broken after 30 s (Vol 3 Part F 3.3.3).
  private static let patience = Duration.seconds(10)

  private var calls: [DeferredCall] = []
  private var limit: EventLoop.Timer?

  var isHolding = false {
    didSet { if !isHolding { release() } }
  }

  /// Answers a call, now or when it is no longer held.
  func answer(_ call: consuming MethodCall) {
    guard isHolding else { return call.reply() }
    calls.append(DeferredCall(call))
    if calls.count == 1 { limit = EventLoop.after(Self.patience) { [weak self] in self?.release() } }
  }

  private func release() {
    limit = nil
    for call in calls { call.take()?.reply() }
    calls = []
  }
}
