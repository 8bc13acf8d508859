import CGLib

/// The timers that are set.
///
/// They fire in the order of their instants, those of one instant in the order in which they were set. What else is
/// ready comes first: a stream goes on with a timer that is due at once, and a request is not to wait for that. A
/// timer waits so for one turn, no longer: who never stops asking must not stop all clocks.
@EventLoop
final class TimerQueue {
  static let shared = TimerQueue()

  /// The earliest last.
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

  /// Fires no more timers than there are, so that one that sets itself into the past cannot hold up the loop. One
  /// that sets itself to the present comes after all that are due now, and so in the next turn.
  func work() {
    let now = EventLoop.now
    for _ in 0..<entries.count {
      guard let earliest = entries.last, earliest.instant <= now else { break }
      entries.removeLast()
      earliest.alarm.fire()
    }
  }
}

/// The timers that other work has been let before once.
private struct PassedOver: Queue {
  let timers: TimerQueue

  var dueInstant: Int64 { timers.dueInstant <= EventLoop.previousLook ? 0 : Self.never }

  func work() { timers.work() }
}

/// What a timer calls; it is in the queue while it is set.
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
