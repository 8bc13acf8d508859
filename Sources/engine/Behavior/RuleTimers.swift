import Framing

/// The timers that rules start, by index in ``PeripheralDefinition/timers``.
struct RuleTimers: Sendable {
  /// When each fires next, its period in milliseconds (nil: it fires once), and the central whose event has started it.
  private(set) var running: [Int: (due: Instant, period: Int64?, asker: Central?)] = [:]
  /// When each timer last fired.
  private var lastFirings: [Int: Instant] = [:]

  /// Notes that a timer has fired, and starts it again if it repeats; returns whether it was running. Its asker becomes that of
  /// the turn.
  mutating func fire(_ timer: Int, in turn: inout Turn) -> Bool {
    guard let fired = running[timer] else { return false }
    lastFirings[timer] = turn.now
    turn.asker = fired.asker
    if let period = fired.period {
      // A whole number of periods after the last time, so that delays do not add up.
      let missed = max(0, fired.due.duration(to: turn.now).wholeMilliseconds / period)
      let next = fired.due.advanced(by: .milliseconds((missed + 1) * period))
      start(timer, at: next, period, for: fired.asker, in: &turn)
    } else {
      running[timer] = nil
    }
    return true
  }

  mutating func start(
    _ timer: Int, after milliseconds: Int64, repeats: Bool, for asker: Central?, in turn: inout Turn
  ) {
    var due = turn.now.advanced(by: .milliseconds(milliseconds))
    // A timer that starts itself again at once would take all the time there is.
    if milliseconds == 0, let last = lastFirings[timer] {
      due = max(due, last.advanced(by: .milliseconds(1)))
    }
    start(timer, at: due, repeats ? milliseconds : nil, for: asker, in: &turn)
  }

  private mutating func start(
    _ timer: Int, at due: Instant, _ period: Int64?, for asker: Central?, in turn: inout Turn
  ) {
    running[timer] = (due, period, asker)
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
