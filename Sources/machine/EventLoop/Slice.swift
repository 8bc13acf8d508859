extension EventLoop {
  /// The time in one turn of the loop for work that may take longer than a turn.
  ///
  /// A request that arrives waits for the present turn to end. So code that carries or formats streams does one
  /// piece in a turn, and more only until the slice, which all such code shares, is over. It continues in the next
  /// turn, after everything else that is ready.
  package struct Slice {
    /// The length of a slice, counted from the moment at which the loop looked for events.
    package static let duration = Duration.milliseconds(1)
    /// The most bytes that a slice passes on.
    package static let bytes = 1024

    private let end: Int64

    /// The slice of the present turn.
    @EventLoop package init() { end = EventLoop.lastLook + Self.duration.microseconds }

    package var isOver: Bool { EventLoop.now >= end }
  }
}
