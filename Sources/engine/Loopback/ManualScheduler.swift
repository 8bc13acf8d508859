import EventLoop
import Framing
import Peripheral

/// A scheduler whose time stands still until the caller advances it. Ten minutes pass at once, the same way every time.
@EventLoop
package final class ManualScheduler: Scheduler {
  private final class Entry {
    var instant: Instant
    let body: @EventLoop () -> Void

    init(_ instant: Instant, _ body: @escaping @EventLoop () -> Void) {
      self.instant = instant
      self.body = body
    }
  }

  /// Weak: releasing the result of ``schedule(at:_:)`` cancels the call.
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

  package func move(_ call: AnyObject, to instant: Instant) -> Bool {
    guard let entry = call as? Entry else { return false }
    references.removeAll { $0.entry === entry }
    entry.instant = instant
    references.append(Reference(entry: entry))
    return true
  }

  /// Advances the time and performs the calls that become due, in order.
  package func advance(by duration: Duration) {
    let end = now.advanced(by: duration)
    while let next = nextEntry(until: end) {
      now = max(now, next.instant)
      next.body()
    }
    now = end
  }

  /// Advances the time without performing calls, as on a stalled machine. The next ``advance(by:)`` performs them late.
  package func stall(for duration: Duration) { now = now.advanced(by: duration) }

  /// Advances the time to the next call and performs it, or to `end` if none is due before.
  ///
  /// - Parameter includingEnd: whether to perform calls that are due exactly at `end`.
  /// - Returns: whether there was a call.
  package func performNext(until end: Instant, includingEnd: Bool = true) -> Bool {
    let last = includingEnd ? end : end.advanced(by: .microseconds(-1))
    let next = nextEntry(until: last)
    now = max(now, next?.instant ?? end)
    next?.body()
    return next != nil
  }

  /// When the next call is due; nil if there is none.
  package var nextInstant: Instant? { references.compactMap { $0.entry?.instant }.min() }

  private func nextEntry(until end: Instant) -> Entry? {
    references.removeAll { $0.entry == nil }
    let due = references.enumerated().filter { $0.element.entry!.instant <= end }
    let next = due.min { ($0.element.entry!.instant, $0.offset) < ($1.element.entry!.instant, $1.offset) }
    return next.map { references.remove(at: $0.offset).entry! }
  }
}
