import EventLoop
import Peripheral

/// Delays the responses to write requests, so that centrals wait.
@EventLoop
final class HeldResponses {
  /// The longest delay: a central gives up after 30 s (Core Specification, Vol 3 Part F 3.3.3).
  private static let limit = Duration.seconds(20)

  private var responses: [() -> Void] = []
  private var timer: AnyObject?
  private let scheduler: any Scheduler

  init(_ scheduler: any Scheduler = EventLoopScheduler()) { self.scheduler = scheduler }

  var isHolding = false {
    didSet { if !isHolding { releaseAll() } }
  }

  /// Calls `send` now, or when responses are no longer held.
  func release(_ send: @escaping @EventLoop () -> Void) {
    guard isHolding else { return send() }
    responses.append(send)
    guard responses.count == 1 else { return }
    timer = scheduler.schedule(at: scheduler.now.advanced(by: Self.limit)) { [weak self] in
      self?.releaseAll()
    }
  }

  private func releaseAll() {
    timer = nil
    let released = responses
    responses = []
    for send in released { send() }
  }
}
