import EventLoop
import Framing
import Peripheral

/// Time that stands still until it is moved: ten minutes pass in no time, and the same way each time.
@EventLoop
package final class ManualScheduler: Scheduler {
  private final class Entry {
    let instant: Instant
    let body: @EventLoop () -> Void

    init(_ instant: Instant, _ body: @escaping @EventLoop () -> Void) {
      self.instant = instant
      self.body = body
    }
  }

  /// Weak, because whoever drops what ``schedule(at:_:)`` returned does not want the call.
  private struct Reference {
    weak var entry: Entry?
  }

  package private(set) var now = Instant()
  /// In the order in which they were scheduled.
  private var references: [Reference] = []

  package init() {}

  package func schedule(at instant: Instant, _ body: @escaping @EventLoop () -> Void) -> AnyObject {
    let entry = Entry(instant, body)
    references.append(Reference(entry: entry))
    return entry
  }

  /// Lets time pass, and everything happen that falls into it, in its order.
  package func advance(by duration: Duration) {
    let end = now.advanced(by: duration)
    while let next = nextEntry(until: end) {
      now = max(now, next.instant)
      next.body()
    }
    now = end
  }

  /// Lets time pass while nobody does anything, as on a machine that stands still. What falls into it happens,
  /// late, with the next ``advance(by:)``.
  package func stall(for duration: Duration) { now = now.advanced(by: duration) }

  /// Lets time pass up to the first thing that falls into it, and performs that.
  ///
  /// - Parameter includingEnd: whether what is due just at `end` falls into it.
  /// - Returns: whether there was anything; otherwise it is `end` now.
  package func performNext(until end: Instant, includingEnd: Bool = true) -> Bool {
    let last = includingEnd ? end : end.advanced(by: .microseconds(-1))
    let next = nextEntry(until: last)
    now = max(now, next?.instant ?? end)
    next?.body()
    return next != nil
  }

  /// When the next thing is due; nil: nothing is.
  package var nextInstant: Instant? { references.compactMap { $0.entry?.instant }.min() }

  private func nextEntry(until end: Instant) -> Entry? {
    references.removeAll { $0.entry == nil }
    let due = references.enumerated().filter { $0.element.entry!.instant <= end }
    let next = due.min { ($0.element.entry!.instant, $0.offset) < ($1.element.entry!.instant, $1.offset) }
    return next.map { references.remove(at: $0.offset).entry! }
  }
}
