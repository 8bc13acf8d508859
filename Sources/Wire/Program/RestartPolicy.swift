/// Whether a program that has ended is started again.
package enum RestartPolicy: String, CaseIterable, Sendable {
  case never
  /// After a status other than 0, and after a signal.
  case onFailure = "on-failure"
  case always
}

/// The time before a program starts again: twice as long each time, unless it has run for a while.
struct RestartPause {
  static let first = Duration.milliseconds(100)
  static let longest = Duration.seconds(5)
  /// A program that ran so long had not failed to start.
  static let recovery = Duration.seconds(10)

  private var coming = first

  /// The pause after a program that has run for `lifetime`.
  mutating func next(after lifetime: Duration) -> Duration {
    if lifetime >= Self.recovery { coming = Self.first }
    defer { coming = min(coming * 2, Self.longest) }
    return coming
  }
}
