import EventLoop
import Framing
import Peripheral

/// The clock of a device in memory. It runs with the event loop's clock, and is ahead of it once it has been advanced.
///
/// While it is advanced, it stands at the instant of the call that it performs. So ten minutes pass as fast as their calls
/// are performed, and each call sees its own time.
///
/// A clock that is held stands from its start, and moves only while it is advanced.
@EventLoop
package final class AdvancingScheduler: Scheduler {
  private final class Entry {
    let instant: Instant
    let body: @EventLoop () -> Void
    var timer: EventLoop.Timer?
    var isPending = true

    init(_ instant: Instant, _ body: @escaping @EventLoop () -> Void) {
      (self.instant, self.body) = (instant, body)
    }
  }

  /// Weak: releasing the result of ``schedule(at:_:)`` cancels the call.
  private struct Reference {
    weak var entry: Entry?
  }

  /// Where an advance ends.
  private struct Goal {
    var instant: Instant
    var duration: Duration
    var done: @EventLoop () -> Void
  }

  /// How far it is ahead of the event loop's clock, microseconds.
  private var lead: Int64 = 0
  /// Whether it moves only while it is advanced.
  package let isHeld: Bool
  /// Where it stands, while it is advanced or because it is held; nil: it runs.
  private var standing: Instant?
  private var goals: ArraySlice<Goal> = []
  /// Continues an advance in the next turn of the loop.
  private var continuation: EventLoop.Timer?
  /// In the order in which they were scheduled.
  private var references: [Reference] = []
  private var roomForReferences = 64

  package init(isHeld: Bool = false) {
    self.isHeld = isHeld
    if isHeld { standing = Instant(microseconds: EventLoop.now) }
  }

  package var now: Instant { standing ?? Instant(microseconds: EventLoop.now + lead) }

  package func schedule(at instant: Instant, _ body: @escaping @EventLoop () -> Void) -> AnyObject {
    let entry = Entry(instant, body)
    entry.timer = EventLoop.Timer { [weak entry] in
      if let entry { Self.perform(entry) }
    }
    if references.count >= roomForReferences {
      references = pending.map { Reference(entry: $0) }
      roomForReferences = 64 + 2 * references.count
    }
    references.append(Reference(entry: entry))
    if standing == nil {
      setTimer(of: entry)
    } else if goals.isEmpty, instant <= now {
      proceedLater()
    }
    return entry
  }

  /// Performs what is due, in the next turn of the loop.
  private func proceedLater() {
    continuation = EventLoop.after(.zero) { [weak self] in
      guard let self else { return }
      if goals.isEmpty { advance(by: .zero) {} } else { proceed() }
    }
  }

  /// The time until the next call; nil: there is none.
  package var timeToNext: Duration? {
    pending.map(\.instant).min().map { now.duration(to: $0) }
  }

  private var pending: [Entry] { references.compactMap(\.entry).filter(\.isPending) }

  private func setTimer(of entry: Entry) { entry.timer?.fire(at: entry.instant.microseconds - lead) }

  private static func perform(_ entry: Entry) {
    entry.isPending = false
    entry.body()
  }
}

// MARK: Advancing

extension AdvancingScheduler {
  /// Advances the clock, and performs the calls that become due in the order of their instants.
  ///
  /// What comes while they are performed is dealt with in between, at the time that the clock has reached.
  ///
  /// - Parameter done: called when the clock has reached its new time, before this function returns if the calls take less than
  ///   a slice of the event loop. After that the clock runs again.
  package func advance(by duration: Duration, then done: @escaping @EventLoop () -> Void) {
    let start = goals.last?.instant ?? now
    goals.append(Goal(instant: start.advanced(by: duration), duration: duration, done: done))
    guard goals.count == 1 else { return }
    standing = start
    if !isHeld { for entry in pending { entry.timer?.cancel() } }
    proceed()
  }

  private func proceed() {
    let slice = EventLoop.Slice()
    while let goal = goals.first {
      guard let next = nextEntry(until: goal.instant) else {
        reach(goal)
        continue
      }
      standing = standing.map { max($0, next.instant) }
      Self.perform(next)
      guard slice.isOver else { continue }
      return proceedLater()
    }
  }

  private func nextEntry(until end: Instant) -> Entry? {
    // The first of the earliest: `min` returns the first of equal ones.
    pending.filter { $0.instant <= end }.min { $0.instant < $1.instant }
  }

  private func reach(_ goal: Goal) {
    goals.removeFirst()
    lead += goal.duration.microseconds
    standing = goals.isEmpty && !isHeld ? nil : goal.instant
    if standing == nil {
      for entry in pending { setTimer(of: entry) }
    }
    goal.done()
  }
}
