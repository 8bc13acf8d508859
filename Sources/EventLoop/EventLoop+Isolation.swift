extension EventLoop {
  /// Whether the caller is on the loop's thread.
  package static var isCurrent: Bool { executor.isCurrent }

  /// Re-enters the loop's isolation from a C callback that the loop itself has called; there is no hop.
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

  /// Re-enters the loop's isolation as above; not generic, so that the hot path allocates nothing.
  package static func assumeIsolated(_ operation: @EventLoop () -> Void) {
    precondition(isCurrent, "only a callback of the event loop may assume its isolation")
    let caller = IsolatedVoidCaller { $0() }
    unsafeBitCast(caller, to: UnisolatedVoidCaller.self).call(operation)
  }

  /// Runs `operation` at once on the loop's thread, and as a job of the loop from any other.
  ///
  /// For the end of handles, which may be dropped anywhere.
  package static func perform(_ operation: @escaping @EventLoop @Sendable () -> Void) {
    if isCurrent {
      assumeIsolated(operation)
    } else {
      Task { @EventLoop in operation() }
    }
  }
}

// A function that is isolated, and how it looks to who has checked the isolation by other means: the types differ
// in nothing else. (The operation itself could be cast only as an escaping closure, whose context is allocated.)

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
