import CGLib

/// The timers that are set, all on one source of the loop.
///
/// They fire in the order of their instants, those of one instant in the order in which they were set.
@EventLoop
final class TimerQueue {
  static let shared = TimerQueue()

  /// The earliest last.
  private var entries: [(instant: Int64, alarm: Alarm)] = []
  private let source: UnsafeMutablePointer<GSource>

  private init() {
    source = makeSource(priority: G_PRIORITY_DEFAULT) { _ in TimerQueue.shared.fireDue() }
  }
}

extension TimerQueue {
  func insert(_ alarm: Alarm, at instant: Int64) {
    let index = entries.firstIndex { $0.instant <= instant } ?? entries.endIndex
    entries.insert((instant, alarm), at: index)
    if index == entries.count - 1 { wakeForEarliest() }
  }

  func remove(_ alarm: Alarm) {
    guard let index = entries.lastIndex(where: { $0.alarm === alarm }) else { return }
    entries.remove(at: index)
    if index == entries.count { wakeForEarliest() }
  }

  /// Fires no more timers than there are, so that one that sets itself into the past cannot hold up the loop.
  private func fireDue() {
    let now = EventLoop.now
    for _ in 0..<entries.count {
      guard let earliest = entries.last, earliest.instant <= now else { break }
      entries.removeLast()
      earliest.alarm.fire()
    }
    wakeForEarliest()
  }

  private func wakeForEarliest() {
    g_source_set_ready_time(source, entries.last.map { gint64(max(0, $0.instant)) } ?? -1)
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
