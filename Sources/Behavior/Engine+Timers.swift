import Framing

/// Timers that rules start.
extension Engine {
  mutating func fireTimer(_ timer: Int) {
    guard let running = timers[timer] else { return }
    lastFirings[timer] = now
    if let period = running.period {
      startTimer(timer, at: running.next(after: now, every: period), period)
    } else {
      timers[timer] = nil
    }
    fire(.timer(timer), by: nil)
  }

  mutating func startTimer(_ timer: Int, after milliseconds: Int64, repeats: Bool) {
    var due = now.advanced(by: .milliseconds(milliseconds))
    // A timer that starts itself again at once would take all the time there is.
    if milliseconds == 0, let last = lastFirings[timer] {
      due = max(due, last.advanced(by: .milliseconds(1)))
    }
    startTimer(timer, at: due, repeats ? milliseconds : nil)
  }

  private mutating func startTimer(_ timer: Int, at due: Instant, _ period: Int64?) {
    timers[timer] = RunningTimer(due: due, period: period)
    actions.append(.startTimer(.rule(timer), at: due))
  }

  mutating func stopTimer(_ timer: Int) {
    guard timers.removeValue(forKey: timer) != nil else { return }
    actions.append(.stopTimer(.rule(timer)))
  }
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
