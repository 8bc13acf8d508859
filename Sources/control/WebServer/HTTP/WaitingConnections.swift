/// The connections that have not sent a whole request yet, the oldest first. libsoup waits for each for ever, and keeps none after
/// its answer.
struct WaitingConnections<Connection> {
  /// How long one may wait, microseconds.
  static var longest: Int64 { 10_000_000 }
  /// The most that may wait.
  static var most: Int { 200 }

  private var entries: [(number: Int32, connection: Connection, deadline: Int64)] = []

  /// When the next one has waited too long; nil if none waits.
  var deadline: Int64? { entries.first?.deadline }

  /// - Parameters:
  ///   - number: its descriptor. An earlier connection with this one has ended.
  ///   - instant: when it was accepted.
  /// - Returns: one that must end because too many wait.
  mutating func add(_ connection: Connection, _ number: Int32, at instant: Int64) -> Connection? {
    remove(number)
    entries.append((number, connection, instant + Self.longest))
    return entries.count > Self.most ? entries.removeFirst().connection : nil
  }

  /// Removes one that has sent its request, if it is there.
  mutating func remove(_ number: Int32) { entries.removeAll { $0.number == number } }

  mutating func removeAll(where hasEnded: (Connection) -> Bool) {
    entries.removeAll { hasEnded($0.connection) }
  }

  /// Removes those that have waited too long, and returns them.
  mutating func removeOverdue(at instant: Int64) -> [Connection] {
    let overdue = entries.prefix { $0.deadline <= instant }
    entries.removeFirst(overdue.count)
    return overdue.map(\.connection)
  }
}
