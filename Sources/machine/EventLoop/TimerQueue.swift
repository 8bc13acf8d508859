/// Alarms that are set.
///
/// They fire in the order of their instants, those of one instant in the order in which they were set.
@EventLoop
final class TimerQueue {
  /// The timers. Other events that are ready come first: a stream continues through a timer that is due at once, and a request
  /// must not wait for that. But a timer waits for at most one turn, so that a client that sends requests without a pause cannot
  /// stop the timers.
  static let shared = TimerQueue()
  /// The idle callbacks.
  static let idle = TimerQueue()
  static let never = Int64.max

  /// Sorted by instant; the earliest is the last.
  private var entries: [(instant: Int64, alarm: Alarm)] = [] {
    didSet { dueInstant = entries.last?.instant ?? Self.never }
  }

  /// When the first fires, on the clock of ``EventLoop/now``; `never`: none is set. Kept because each turn asks for it.
  private(set) var dueInstant = never

  var count: Int { entries.count }

  var isEmpty: Bool { dueInstant == Self.never }

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

extension TimerQueue {
  /// Fires those that are due, and at most as many as there are, so that a timer that sets itself to the past cannot block the
  /// loop. A timer that sets itself to the present comes after all that are due now, and so in the next turn.
  func fireDue() {
    let now = EventLoop.now
    for _ in 0..<entries.count {
      guard dueInstant <= now else { break }
      fireFirst()
    }
  }

  /// Fires the first, if there is one, so that urgent events can run before the next.
  func fireFirst() { entries.popLast()?.alarm.fire() }
}

/// The queue's entry; it is in the queue while it is set.
@EventLoop
final class Alarm {
  private let queue: TimerQueue
  private let handler: @EventLoop () -> Void
  /// When it fires; nil: it is not set.
  private var instant: Int64?

  init(in queue: TimerQueue, _ handler: @escaping @EventLoop () -> Void) {
    (self.queue, self.handler) = (queue, handler)
  }

  var isSet: Bool { instant != nil }

  func set(for instant: Int64) {
    cancel()
    self.instant = instant
    queue.insert(self, at: instant)
  }

  func cancel() {
    if let instant { queue.remove(self, at: instant) }
    instant = nil
  }

  func fire() {
    instant = nil
    handler()
  }
}
