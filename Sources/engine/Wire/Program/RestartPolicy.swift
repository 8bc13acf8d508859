/// When a program restarts after its end.
package enum RestartPolicy: String, CaseIterable, Sendable {
  case never
  /// After a status other than 0, or a signal.
  case onFailure = "on-failure"
  case always
}

/// The pause before a restart. It doubles each time, unless the last run was long.
package struct RestartPause {
  private let first: Duration
  private let longest: Duration
  /// After this run time, the pause begins with `first` again.
  private let recovery: Duration
  private var upcoming: Duration

  private init(first: Duration, longest: Duration, recovery: Duration) {
    (self.first, self.longest, self.recovery, upcoming) = (first, longest, recovery, first)
  }

  static var ofProgram: Self {
    Self(first: .milliseconds(100), longest: .seconds(5), recovery: .seconds(10))
  }

  package static var ofDevice: Self {
    Self(first: .seconds(1), longest: .seconds(30), recovery: .seconds(60))
  }

  /// The pause after a run of `lifetime`.
  package mutating func next(after lifetime: Duration) -> Duration {
    if lifetime >= recovery { upcoming = first }
    defer { upcoming = min(upcoming * 2, longest) }
    return upcoming
  }
}
