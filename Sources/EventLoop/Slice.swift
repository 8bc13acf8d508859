extension EventLoop {
  /// A share of one turn of the loop, for work that has more to do than fits into a turn.
  ///
  /// A request that arrives waits for the turn at hand. So nothing that carries streams or formats them works
  /// longer than this at once: it stops when the slice is over, and goes on in the next turn, after everything
  /// else that is ready.
  package struct Slice {
    /// How long a slice is.
    package static let duration = Duration.milliseconds(1)
    /// The most that is handed over in a slice, bytes.
    package static let bytes = 1024

    private let end = EventLoop.now + duration.microseconds

    /// Begins now.
    package init() {}

    package var isOver: Bool { EventLoop.now >= end }
  }
}
