import CGLib

/// The timers that are set.
///
/// They fire in the order of their instants, those of one instant in the order in which they were set. Other events
/// that are ready come first: a stream continues through a timer that is due at once, and a request must not wait
/// for that. But a timer waits for at most one turn, so that a client that sends requests without a pause cannot
/// stop the timers.
@EventLoop
final class TimerQueue {
  static let shared = TimerQueue()

  /// Sorted by instant; the earliest is the last.
  private var entries: [(instant: Int64, alarm: Alarm)] = []

  private init() {
    attach(self, priority: G_PRIORITY_DEFAULT + 1)
    attach(PassedOver(timers: self), priority: G_PRIORITY_DEFAULT)
  }

  var count: Int { entries.count }

  func insert(_ alarm: Alarm, at instant: Int64) {
    entries.insert((instant, alarm), at: firstIndex(by: instant))
  }

  func remove(_ alarm: Alarm, at instant: Int64) {
    let sameInstant = entries[firstIndex(by: instant)...]
    if let index = sameInstant.firstIndex(where: { $0.alarm === alarm }) { entries.remove(at: index) }
  }

  /// The first index of those that fire at an instant or before, in few steps even if a thousand timers are set.
  private func firstIndex(by instant: Int64) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].instant <= instant { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension TimerQueue: Queue {
  var dueInstant: Int64 { entries.last?.instant ?? Self.never }

  /// Fires at most as many timers as there are, so that a timer that sets itself to the past cannot block the loop.
  /// A timer that sets itself to the present comes after all that are due now, and so in the next turn.
  func work() {
    let now = EventLoop.now
    for _ in 0..<entries.count {
      guard let earliest = entries.last, earliest.instant <= now else { break }
      entries.removeLast()
      earliest.alarm.fire()
    }
  }
}

/// The timers that have already waited for one turn.
private struct PassedOver: Queue {
  let timers: TimerQueue

  var dueInstant: Int64 { timers.dueInstant <= EventLoop.previousLook ? 0 : Self.never }

  func work() { timers.work() }
}

/// The queue's entry for a timer; it is in the queue while it is set.
@EventLoop
final class Alarm {
  private let handler: @EventLoop () -> Void
  /// When it fires; nil: it is not set.
  private var instant: Int64?

  init(_ handler: @escaping @EventLoop () -> Void) { self.handler = handler }

  func set(for instant: Int64) {
    cancel()
    self.instant = instant
    TimerQueue.shared.insert(self, at: instant)
  }

  func cancel() {
    if let instant { TimerQueue.shared.remove(self, at: instant) }
    instant = nil
  }

  func fire() {
    instant = nil
    handler()
  }
}
