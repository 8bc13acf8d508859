extension EventLoop {
  /// The time in one turn of the loop for all work that has more to do than fits into a turn.
  ///
  /// A request that arrives waits for the turn at hand. So what carries streams or formats them does one piece in
  /// a turn, and more only until the slice is over, whoever has used it up; it goes on in the next turn, after
  /// everything else that is ready.
  package struct Slice {
    /// How long a slice is, counted from when the loop looked for events.
    package static let duration = Duration.milliseconds(1)
    /// The most that is handed over in a slice, bytes.
    package static let bytes = 1024

    private let end: Int64

    /// That of the turn at hand.
    @EventLoop package init() { end = EventLoop.lastLook + Self.duration.microseconds }

    package var isOver: Bool { EventLoop.now >= end }
  }
}
