/// When a program restarts after its end.
package enum RestartPolicy: String, CaseIterable, Sendable {
  case never
  /// After a status other than 0, or a signal.
  case onFailure = "on-failure"
  case always
}

/// The pause before a program restarts. It doubles each time, unless the program has run for a while.
struct RestartPause {
  static let first = Duration.milliseconds(100)
  static let longest = Duration.seconds(5)
  /// After this run time, the pause begins with ``first`` again.
  static let recovery = Duration.seconds(10)

  private var upcoming = first

  /// The pause after a program that has run for `lifetime`.
  mutating func next(after lifetime: Duration) -> Duration {
    if lifetime >= Self.recovery { upcoming = Self.first }
    defer { upcoming = min(upcoming * 2, Self.longest) }
    return upcoming
  }
}
