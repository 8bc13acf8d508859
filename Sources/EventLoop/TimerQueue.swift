import CGLib

/// The timers that are set.
///
/// They fire in the order of their instants, those of one instant in the order in which they were set.
@EventLoop
final class TimerQueue {
  static let shared = TimerQueue()

  /// The earliest last.
  private var entries: [(instant: Int64, alarm: Alarm)] = []

  private init() { attach(self, priority: G_PRIORITY_DEFAULT) }

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
