import Framing

/// The timers that rules start, by index in ``PeripheralDefinition/timers``.
struct RuleTimers: Sendable {
  /// When each fires next, and its period in milliseconds; nil: it fires once.
  private(set) var running: [Int: (due: Instant, period: Int64?)] = [:]
  /// When each timer last fired.
  private var lastFirings: [Int: Instant] = [:]

  /// Notes that a timer has fired, and starts it again if it repeats; returns whether it was running.
  mutating func fire(_ timer: Int, in turn: inout Turn) -> Bool {
    guard let fired = running[timer] else { return false }
    lastFirings[timer] = turn.now
    if let period = fired.period {
      // A whole number of periods after the last time, so that delays do not add up.
      let missed = max(0, fired.due.duration(to: turn.now).wholeMilliseconds / period)
      start(timer, at: fired.due.advanced(by: .milliseconds((missed + 1) * period)), period, in: &turn)
    } else {
      running[timer] = nil
    }
    return true
  }

  mutating func start(_ timer: Int, after milliseconds: Int64, repeats: Bool, in turn: inout Turn) {
    var due = turn.now.advanced(by: .milliseconds(milliseconds))
    // A timer that starts itself again at once would take all the time there is.
    if milliseconds == 0, let last = lastFirings[timer] {
      due = max(due, last.advanced(by: .milliseconds(1)))
    }
    start(timer, at: due, repeats ? milliseconds : nil, in: &turn)
  }

  private mutating func start(_ timer: Int, at due: Instant, _ period: Int64?, in turn: inout Turn) {
    running[timer] = (due, period)
    turn.actions.append(.startTimer(.rule(timer), at: due))
  }

  mutating func stop(_ timer: Int, in turn: inout Turn) {
    guard running.removeValue(forKey: timer) != nil else { return }
    turn.actions.append(.stopTimer(.rule(timer)))
  }

  mutating func stopAll(in turn: inout Turn) {
    for timer in running.keys.sorted() { stop(timer, in: &turn) }
  }
}
