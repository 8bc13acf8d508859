/// The connections that have not sent a whole request yet, or have their answer and do not end, the oldest first: by descriptor.
struct WaitingConnections {
  /// How long one may wait, microseconds.
  static let longest: Int64 = 10_000_000
  /// The most that may wait.
  static let most = 200

  private var entries: [(number: Int32, deadline: Int64)] = []

  /// When the next one has waited too long; nil if none waits.
  var deadline: Int64? { entries.first?.deadline }

  /// - Parameter instant: when it begins to wait.
  /// - Returns: one that must end because too many wait.
  mutating func add(_ number: Int32, at instant: Int64) -> Int32? {
    remove(number)
    entries.append((number, instant + Self.longest))
    return entries.count > Self.most ? entries.removeFirst().number : nil
  }

  /// Removes one that goes on or has ended, if it is there.
  mutating func remove(_ number: Int32) { entries.removeAll { $0.number == number } }

  /// Removes those that have waited too long, and returns them.
  mutating func removeOverdue(at instant: Int64) -> [Int32] {
    let overdue = entries.prefix { $0.deadline <= instant }
    entries.removeFirst(overdue.count)
    return overdue.map(\.number)
  }
}
