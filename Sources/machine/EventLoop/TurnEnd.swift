extension EventLoop {
  /// Calls its handler once at the end of each turn of the loop in which ``schedule()`` was called, before the loop waits.
  ///
  /// For work that serves all events of a turn at once, such as one write of all that they have to send.
  @EventLoop
  package final class TurnEnd {
    private let handler: @EventLoop () -> Void
    private var isScheduled = false
    private static var scheduled: [TurnEnd] = []

    package init(_ handler: @escaping @EventLoop () -> Void) { self.handler = handler }

    /// Requests a call. A second request before the call changes nothing. A handler may request another one, in the same turn.
    package func schedule() {
      if !isScheduled { Self.scheduled.append(self) }
      isScheduled = true
    }

    static func callScheduled() {
      guard !scheduled.isEmpty else { return }
      var index = 0
      while index < scheduled.count {
        scheduled[index].isScheduled = false
        scheduled[index].handler()
        index += 1
      }
      scheduled.removeAll(keepingCapacity: true)
    }
  }
}
