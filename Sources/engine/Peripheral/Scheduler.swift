import EventLoop
import Framing

/// Tells the time and calls functions at later times; real under the event loop, manual in tests.
@EventLoop
package protocol Scheduler: AnyObject {
  var now: Instant { get }
  /// Calls `body` once at `instant`, unless the returned object is released before.
  func schedule(at instant: Instant, _ body: @escaping @EventLoop () -> Void) -> AnyObject
  /// Sets a call for another instant, also one that has been performed. That takes much less than a new one.
  ///
  /// - Returns: whether the scheduler can. If not, the call stays as it is.
  func move(_ call: AnyObject, to instant: Instant) -> Bool
}

extension Scheduler {
  package func move(_ call: AnyObject, to instant: Instant) -> Bool { false }
}

/// The event loop's own clock.
@EventLoop
package final class EventLoopScheduler: Scheduler {
  package init() {}

  package var now: Instant { Instant(microseconds: EventLoop.now) }

  package func schedule(at instant: Instant, _ body: @escaping @EventLoop () -> Void) -> AnyObject {
    let timer = EventLoop.Timer(body)
    timer.fire(at: instant.microseconds)
    return timer
  }

  package func move(_ call: AnyObject, to instant: Instant) -> Bool {
    guard let timer = call as? EventLoop.Timer else { return false }
    timer.fire(at: instant.microseconds)
    return true
  }
}
