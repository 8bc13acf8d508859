import EventLoop
import Framing

/// The time, and calls at a later time; real under the event loop, by hand in tests.
@EventLoop
package protocol Scheduler: AnyObject {
  var now: Instant { get }
  /// Calls `body` once at `instant`, unless what is returned is dropped before.
  func schedule(at instant: Instant, _ body: @escaping @EventLoop () -> Void) -> AnyObject
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
}
