import DeviceModel
import Framing

/// The timers that rules start, each of the device or of a central.
struct RuleTimers: Sendable {
  /// A timer by index in ``PeripheralDefinition/timers``.
  struct Key: Hashable {
    let timer: Int
    /// nil: it is the device's.
    let central: Central?

    fileprivate var identifier: TimerIdentifier {
      central.map { .ruleOfCentral(timer, $0) } ?? .rule(timer)
    }
  }

  /// When each fires next, its period in milliseconds (nil: it fires once), and the central whose event has started it.
  private(set) var running: [Key: (due: Instant, period: Int64?, asker: Central?)] = [:]
  /// When each timer last fired.
  private var lastFirings: [Key: Instant] = [:]

  /// Notes that a timer has fired, and starts it again if it repeats; returns whether it was running. Its asker becomes that of
  /// the turn.
  mutating func fire(_ key: Key, in turn: inout Turn) -> Bool {
    guard let fired = running[key] else { return false }
    lastFirings[key] = turn.now
    turn.asker = fired.asker
    if let period = fired.period {
      // A whole number of periods after the last time, so that delays do not add up.
      let missed = max(0, fired.due.duration(to: turn.now).wholeMilliseconds / period)
      let next = fired.due.advanced(by: .milliseconds((missed + 1) * period))
      start(key, at: next, period, for: fired.asker, in: &turn)
    } else {
      running[key] = nil
    }
    return true
  }

  mutating func start(
    _ key: Key, after milliseconds: Int64, repeats: Bool, for asker: Central?, in turn: inout Turn
  ) {
    var due = turn.now.advanced(by: .milliseconds(milliseconds))
    // A timer that starts itself again at once would take all the time there is.
    if milliseconds == 0, let last = lastFirings[key] {
      due = max(due, last.advanced(by: .milliseconds(1)))
    }
    start(key, at: due, repeats ? milliseconds : nil, for: asker, in: &turn)
  }

  private mutating func start(
    _ key: Key, at due: Instant, _ period: Int64?, for asker: Central?, in turn: inout Turn
  ) {
    running[key] = (due, period, asker)
    turn.actions.append(.startTimer(key.identifier, at: due))
  }

  mutating func stop(_ key: Key, in turn: inout Turn) {
    guard running.removeValue(forKey: key) != nil else { return }
    turn.actions.append(.stopTimer(key.identifier))
  }

  /// Stops a timer of all centrals.
  mutating func stop(_ timer: Int, in turn: inout Turn) { stop(in: &turn) { $0.timer == timer } }

  /// Ends the timers of a central.
  mutating func end(of central: Central, in turn: inout Turn) {
    stop(in: &turn) { $0.central == central }
    for key in lastFirings.keys where key.central == central { lastFirings[key] = nil }
  }

  mutating func stopAll(in turn: inout Turn) { stop(in: &turn) { _ in true } }

  private mutating func stop(in turn: inout Turn, where isOver: (Key) -> Bool) {
    for key in running.keys.filter(isOver).sorted(by: { $0.order < $1.order }) { stop(key, in: &turn) }
  }
}

extension RuleTimers.Key {
  fileprivate var order: (Int, String) { (timer, central?.description ?? "") }
}
