import EventLoop

/// Delays the responses to write requests, so that centrals wait.
@EventLoop
package final class HeldResponses {
  private var responses: [() -> Void] = []
  private var timer: AnyObject?
  private let scheduler: any Scheduler
  private let limit: Duration

  /// - Parameter limit: the longest delay. By default, it is shorter than the 30 s after which a central gives up (Core
  ///   Specification, Vol 3 Part F 3.3.3).
  package init(_ scheduler: any Scheduler = EventLoopScheduler(), limit: Duration = .seconds(20)) {
    (self.scheduler, self.limit) = (scheduler, limit)
  }

  package var isHolding = false {
    didSet { if !isHolding { releaseAll() } }
  }

  /// Calls `send` now, or when responses are no longer held.
  package func release(_ send: @escaping @EventLoop () -> Void) {
    guard isHolding else { return send() }
    responses.append(send)
    guard responses.count == 1 else { return }
    timer = scheduler.schedule(at: scheduler.now.advanced(by: limit)) { [weak self] in
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
