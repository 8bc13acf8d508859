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
    typealias Unisolated = () throws(Failure) -> Success
    return try withoutActuallyEscaping(operation) { (escapable) throws(Failure) -> Success in
      // The two types differ in nothing but the static isolation, which has just been checked.
      try unsafeBitCast(escapable, to: Unisolated.self)()
    }
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
