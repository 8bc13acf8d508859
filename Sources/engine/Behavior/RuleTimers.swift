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

  /// A timer that runs or has fired.
  struct Entry: Sendable {
    let central: Central?
    /// When it fires next; nil: it does not run.
    fileprivate(set) var due: Instant?
    /// Milliseconds; nil: it fires once.
    fileprivate var period: Int64?
    /// The central whose event has started it.
    fileprivate var asker: Central?
    fileprivate var lastFiring: Instant?
  }

  /// By timer, those of the device and of centrals.
  private(set) var entries: [[Entry]]

  init(_ definition: PeripheralDefinition) {
    entries = Array(repeating: [], count: definition.timers.count)
  }

  private func index(of key: Key) -> Int? {
    for index in entries[key.timer].indices where entries[key.timer][index].central == key.central {
      return index
    }
    return nil
  }

  /// Notes that a timer has fired, and starts it again if it repeats; returns whether it was running. Its asker becomes that of
  /// the turn.
  mutating func fire(_ key: Key, in turn: inout Turn) -> Bool {
    guard let index = index(of: key) else { return false }
    let fired = entries[key.timer][index]
    guard let due = fired.due else { return false }
    entries[key.timer][index].lastFiring = turn.now
    turn.asker = fired.asker
    guard let period = fired.period else {
      entries[key.timer][index].due = nil
      return true
    }
    // A whole number of periods after the last time, so that delays do not add up.
    let missed = max(0, due.milliseconds(to: turn.now) / period)
    let next = due.advanced(milliseconds: (missed + 1) * period)
    entries[key.timer][index].due = next
    turn.actions.append(.startTimer(key.identifier, at: next))
    return true
  }

  mutating func start(
    _ key: Key, after milliseconds: Int64, repeats: Bool, for asker: Central?, in turn: inout Turn
  ) {
    let known = index(of: key)
    let index = known ?? entries[key.timer].count
    if known == nil { entries[key.timer].append(Entry(central: key.central)) }
    var due = turn.now.advanced(milliseconds: milliseconds)
    // A timer that starts itself again at once would take all the time there is.
    if milliseconds == 0, let last = entries[key.timer][index].lastFiring {
      due = max(due, last.advanced(milliseconds: 1))
    }
    entries[key.timer][index].due = due
    entries[key.timer][index].period = repeats ? milliseconds : nil
    entries[key.timer][index].asker = asker
    turn.actions.append(.startTimer(key.identifier, at: due))
  }

  mutating func stop(_ key: Key, in turn: inout Turn) {
    guard let index = index(of: key), entries[key.timer][index].due.take() != nil else { return }
    turn.actions.append(.stopTimer(key.identifier))
  }

  /// Stops a timer of all centrals.
  mutating func stop(_ timer: Int, in turn: inout Turn) { stop(in: &turn) { $0.timer == timer } }

  /// Ends the timers of a central.
  mutating func end(of central: Central, in turn: inout Turn) {
    stop(in: &turn) { $0.central == central }
    for timer in entries.indices { entries[timer].removeAll { $0.central == central } }
  }

  mutating func stopAll(in turn: inout Turn) { stop(in: &turn) { _ in true } }

  private mutating func stop(in turn: inout Turn, where isOver: (Key) -> Bool) {
    for timer in entries.indices {
      let keys = entries[timer].map { Key(timer: timer, central: $0.central) }.filter(isOver)
      for key in keys.sorted(by: { $0.order < $1.order }) { stop(key, in: &turn) }
    }
  }
}

extension RuleTimers.Key {
  fileprivate var order: String { central?.description ?? "" }
}
