import Framing

/// Timers that rules start.
extension Engine {
  mutating func fireTimer(_ timer: Int) {
    guard let running = timers.running[timer] else { return }
    timers.lastFirings[timer] = turn.now
    if let period = running.period {
      startTimer(timer, at: running.next(after: turn.now, every: period), period)
    } else {
      timers.running[timer] = nil
    }
    fire(.timer(timer), by: nil)
  }

  mutating func startTimer(_ timer: Int, after milliseconds: Int64, repeats: Bool) {
    var due = turn.now.advanced(by: .milliseconds(milliseconds))
    // A timer that starts itself again at once would take all the time there is.
    if milliseconds == 0, let last = timers.lastFirings[timer] {
      due = max(due, last.advanced(by: .milliseconds(1)))
    }
    startTimer(timer, at: due, repeats ? milliseconds : nil)
  }

  private mutating func startTimer(_ timer: Int, at due: Instant, _ period: Int64?) {
    timers.running[timer] = RunningTimer(due: due, period: period)
    turn.actions.append(.startTimer(.rule(timer), at: due))
  }

  mutating func stopTimer(_ timer: Int) {
    guard timers.running.removeValue(forKey: timer) != nil else { return }
    turn.actions.append(.stopTimer(.rule(timer)))
  }
}

/// The timers of rules, by index in ``PeripheralDefinition/timers``.
struct RuleTimers: Sendable {
  var running: [Int: RunningTimer] = [:]
  /// When each timer last fired.
  var lastFirings: [Int: Instant] = [:]
}

/// A timer that a rule has started.
struct RunningTimer {
  var due: Instant
  /// Milliseconds; nil: once.
  var period: Int64?

  /// The next time: a whole number of periods after the last one, so that delays do not add up.
  func next(after now: Instant, every period: Int64) -> Instant {
    let missed = max(0, due.duration(to: now).wholeMilliseconds / period)
    return due.advanced(by: .milliseconds((missed + 1) * period))
  }
}
