extension EventLoop {
  /// Whether the caller is on the loop's thread.
  package static var isCurrent: Bool { executor.isCurrent }

  /// Runs a C callback of the loop in the loop's isolation, without a hop.
  ///
  /// - Precondition: The caller is on the loop's thread.
  package static func assumeIsolated<Success: Sendable, Failure>(
    _ operation: @EventLoop () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    precondition(isCurrent, "only a callback of the event loop may assume its isolation")
    let caller = IsolatedCaller { (operation: @EventLoop () throws(Failure) -> Success) throws(Failure) in
      try operation()
    }
    return try unsafeBitCast(caller, to: UnisolatedCaller<Success, Failure>.self).call(operation)
  }

  /// The same; not generic, so that the hot path allocates nothing.
  package static func assumeIsolated(_ operation: @EventLoop () -> Void) {
    precondition(isCurrent, "only a callback of the event loop may assume its isolation")
    let caller = IsolatedVoidCaller { $0() }
    unsafeBitCast(caller, to: UnisolatedVoidCaller.self).call(operation)
  }

  /// Runs `operation`: on the loop's thread at once, from any other thread as a job of the loop.
  ///
  /// For the release of handles, which may be dropped on any thread.
  package static func perform(_ operation: @escaping @EventLoop @Sendable () -> Void) {
    if isCurrent {
      assumeIsolated(operation)
    } else {
      start { operation() }
    }
  }
}

// The type of an isolated function, and the same type without isolation. They have no other difference, so the cast
// is safe once the thread has been checked. (The operation itself could be cast only as an escaping closure, whose
// context is allocated.)

private struct IsolatedCaller<Success, Failure: Error> {
  let call: @EventLoop (@EventLoop () throws(Failure) -> Success) throws(Failure) -> Success
}

private struct UnisolatedCaller<Success, Failure: Error> {
  let call: (@EventLoop () throws(Failure) -> Success) throws(Failure) -> Success
}

private struct IsolatedVoidCaller {
  let call: @EventLoop (@EventLoop () -> Void) -> Void
}

private struct UnisolatedVoidCaller {
  let call: (@EventLoop () -> Void) -> Void
}
