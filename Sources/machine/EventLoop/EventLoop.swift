import CGLib

/// The only isolation domain of the program: code marked `@EventLoop` runs on the thread that runs GLib's default
/// main context.
///
/// The thread is the one that calls ``run(_:)``. Without such a call, as in tests, the first job starts a
/// background thread.
@globalActor
package actor EventLoop {
  package static let shared = EventLoop()

  static let executor = MainContextExecutor()
  private static let taskExecutor = MainContextTaskExecutor()

  /// Set by ``stop(status:)``, read between two iterations.
  @EventLoop private static var exitStatus: Int32?

  /// When the loop last looked for events, and the time before that, on the clock of ``now``.
  @EventLoop private static var looks: (last: Int64, before: Int64) = (now, now)

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }
}

extension EventLoop {
  /// Microseconds on the monotonic clock, from an unspecified start; the clock of every timer. See ``useVirtualTime()``.
  package static var now: Int64 { LoopClock.now }

  /// When the loop looked for events before this turn: the events of this turn had not arrived then.
  @EventLoop package static var previousLook: Int64 { looks.before }

  /// When this turn began.
  @EventLoop static var lastLook: Int64 { looks.last }

  /// Whether the loop slept before this turn, so that an event of this turn probably arrived alone.
  @EventLoop package private(set) static var hasSlept = false

  /// Whether a library adds its own sources to GLib's main context, as libsoup does. GLib then waits for them each time;
  /// otherwise the loop does not ask it.
  @EventLoop package static var hasOtherSources = false

  /// Microseconds. To look without waiting takes less.
  private static let shortestSleep: Int64 = 100

  /// Microseconds. A look that has taken longer is repeated: the process may have been stopped after the kernel had looked, and
  /// events that arrived meanwhile would seem to arrive later.
  private static let longestLook: Int64 = 1_000_000

  /// Records that the loop has looked for events.
  ///
  /// - Parameter began: when the loop began to look, and if there was nothing, to wait.
  /// - Returns: whether it must look once more, without waiting.
  @EventLoop static func hasLooked(since began: Int64) -> Bool {
    looks = (now, looks.last)
    hasSlept = looks.last - began > shortestSleep
    return looks.last - began > longestLook
  }

  /// Runs the loop on the calling thread until `main` returns or ``stop(status:)`` is called.
  ///
  /// - Precondition: No thread runs the loop: call this before any code hops to `@EventLoop`.
  /// - Returns: The exit status of `main` or of ``stop(status:)``, whichever comes first. Remaining jobs run at the
  ///   next `run`.
  package static func run(_ main: @escaping @EventLoop @Sendable () async -> Int32) -> Int32 {
    executor.becomeRunner()
    defer { executor.resignRunner() }
    Task(executorPreference: taskExecutor) { await stop(status: main()) }
    while true {
      if let status = assumeIsolated({ takeExitStatus() }) { return status }
      executor.iterate()
    }
  }

  /// Starts a task that never leaves the loop's thread.
  ///
  /// A plain `Task` passes through the thread pool after each call that it awaits. The pool starts two threads, and one of
  /// them wakes up every second.
  @discardableResult
  package static func start(_ body: @escaping @EventLoop @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: taskExecutor) { await body() }
  }

  /// Makes ``run(_:)`` return `status` after the current callback; the first status wins.
  ///
  /// No effect on the background thread, which runs as long as the process.
  @EventLoop
  package static func stop(status: Int32) {
    if exitStatus == nil { exitStatus = status }
  }

  @EventLoop
  private static func takeExitStatus() -> Int32? {
    defer { exitStatus = nil }
    return exitStatus
  }
}
