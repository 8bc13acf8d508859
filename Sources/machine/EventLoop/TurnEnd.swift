extension EventLoop {
  /// Calls its handler once at the end of each turn of the loop in which ``schedule()`` was called, before the loop waits.
  ///
  /// For work that serves all events of a turn at once, such as one write of all that they have to send.
  @EventLoop
  package final class TurnEnd {
    private let handler: @EventLoop () -> Void
    private var isScheduled = false
    /// The one that is called after this one.
    private var next: TurnEnd?
    /// Those that are scheduled, in order: each turn has some, so that a list without memory of its own costs least.
    private static var (first, last): (TurnEnd?, TurnEnd?) = (nil, nil)

    package init(_ handler: @escaping @EventLoop () -> Void) { self.handler = handler }

    /// Requests a call. A second request before the call changes nothing. A handler may request another one, in the same turn.
    package func schedule() {
      guard !isScheduled else { return }
      isScheduled = true
      if let last = Self.last { last.next = self } else { Self.first = self }
      Self.last = self
    }

    static func callScheduled() {
      while let turnEnd = first {
        first = turnEnd.next
        if first == nil { last = nil }
        (turnEnd.next, turnEnd.isScheduled) = (nil, false)
        turnEnd.handler()
      }
    }
  }
}
