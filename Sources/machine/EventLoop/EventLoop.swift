/// The only isolation domain of the program: code marked `@EventLoop` runs on the loop's thread.
///
/// The thread is the one that calls ``run(_:)``. Without such a call, as in tests, the first job starts a
/// background thread.
@globalActor
package actor EventLoop {
  package static let shared = EventLoop()

  static let executor = LoopExecutor()
  private static let taskExecutor = LoopTaskExecutor()

  /// Set by ``stop(status:)``, read between two turns.
  @EventLoop private static var exitStatus: Int32?

  /// When the loop last looked for events, and the time before that, on the clock of ``now``.
  @EventLoop private static var looks: (last: Int64, before: Int64) = (now, now)

  /// Whether the loop slept before this turn, so that an event of this turn probably arrived alone.
  @EventLoop package private(set) static var hasSlept = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }
}

extension EventLoop {
  /// Runs the loop on the calling thread until `main` returns or ``stop(status:)`` is called.
  ///
  /// - Precondition: No thread runs the loop: call this before any code hops to `@EventLoop`.
  /// - Returns: The exit status of `main` or of ``stop(status:)``, whichever comes first. Remaining jobs run at the
  ///   next `run`.
  package static func run(_ main: @escaping @EventLoop @Sendable () async -> Int32) -> Int32 {
    executor.becomeRunner()
    defer { executor.resignRunner() }
    Task(executorPreference: taskExecutor) { await stop(status: main()) }
    return assumeIsolated {
      defer { exitStatus = nil }
      while true {
        if let exitStatus { return exitStatus }
        turn()
      }
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
}

// MARK: A turn

extension EventLoop {
  /// Microseconds on the monotonic clock, from an unspecified start; the clock of every timer. See ``useVirtualTime()``.
  package static var now: Int64 { LoopClock.now }

  /// When the loop looked for events before this turn: the events of this turn had not arrived then.
  @EventLoop package static var previousLook: Int64 { looks.before }

  /// When this turn began.
  @EventLoop static var lastLook: Int64 { looks.last }

  /// Microseconds. To look without waiting takes less.
  private static let shortestSleep: Int64 = 100

  /// Microseconds. A look that has taken longer is repeated: the process may have been stopped after the kernel had looked, and
  /// events that arrived meanwhile would seem to arrive later.
  private static let longestLook: Int64 = 1_000_000

  /// Waits for events and handles the most urgent.
  @EventLoop static func turn() {
    let began = now
    let hasWork = executor.hasJobs || !TimerQueue.idle.isEmpty
    look(from: began, until: hasWork ? began : TimerQueue.shared.dueInstant)
    looks = (now, looks.last)
    hasSlept = lastLook - began > shortestSleep
    if lastLook - began > longestLook { DescriptorList.shared.look(mayWait: false) }
    handleMostUrgent()
    TurnEnd.callScheduled()
  }

  /// Waits until a descriptor is ready or work is due. In virtual time, it is due at once.
  @EventLoop private static func look(from now: Int64, until due: Int64) {
    let descriptors = DescriptorList.shared
    guard due > now else { return descriptors.look(mayWait: false) }
    guard LoopClock.isVirtual, due != TimerQueue.never else {
      WakeUpTimer.shared.goOff(by: due)
      return descriptors.look(mayWait: true)
    }
    descriptors.look(mayWait: false)
    if !descriptors.isReady { LoopClock.setVirtual(due) }
  }

  /// Jobs and descriptors come first, then timers, then idle work. A timer that has waited for a turn waits no longer.
  @EventLoop private static func handleMostUrgent() {
    let (descriptors, timers) = (DescriptorList.shared, TimerQueue.shared)
    let hasOverdueTimers = timers.dueInstant <= previousLook
    if executor.hasJobs || descriptors.isReady || hasOverdueTimers {
      executor.runJobs()
      descriptors.callHandlers()
      if hasOverdueTimers { timers.fireDue() }
    } else if timers.dueInstant <= lastLook {
      timers.fireDue()
    } else {
      TimerQueue.idle.fireFirst()
    }
  }
}
