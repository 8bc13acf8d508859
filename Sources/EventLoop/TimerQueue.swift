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

  func insert(_ alarm: Alarm, at instant: Int64) {
    let index = entries.firstIndex { $0.instant <= instant } ?? entries.endIndex
    entries.insert((instant, alarm), at: index)
  }

  func remove(_ alarm: Alarm) {
    if let index = entries.lastIndex(where: { $0.alarm === alarm }) { entries.remove(at: index) }
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
  private var isSet = false

  init(_ handler: @escaping @EventLoop () -> Void) { self.handler = handler }

  func set(for instant: Int64) {
    cancel()
    isSet = true
    TimerQueue.shared.insert(self, at: instant)
  }

  func cancel() {
    if isSet { TimerQueue.shared.remove(self) }
    isSet = false
  }

  func fire() {
    isSet = false
    handler()
  }
}
