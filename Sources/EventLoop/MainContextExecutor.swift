import CGLib
import Glibc
import Synchronization

/// Runs jobs in the order of their arrival on the thread that iterates GLib's default main context.
///
/// It is a task executor, too: a continuation resumes on no actor's executor in particular before it hops to
/// its actor's, and with this preference that is the same thread, so that no thread pool is ever started.
final class MainContextExecutor: SerialExecutor, TaskExecutor {
  private enum Runner { case nobody, claimed, resigned }

  private struct State {
    var jobs: [UnownedJob] = []
    var runner = Runner.nobody
  }

  private let state = Mutex(State())
  /// The running thread as `pthread_self` names it, 0 for none.
  private let thread = Atomic<UInt>(0)
  // Unsafe: GLib locks its contexts and sources itself, and neither pointer ever changes.
  nonisolated(unsafe) private let context: OpaquePointer = g_main_context_default()
  nonisolated(unsafe) private let wakeUp: UnsafeMutablePointer<GSource>

  init() {
    wakeUp = makeSource(priority: G_PRIORITY_DEFAULT) { EventLoop.executor.runJobs($0) }
  }

  var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  func checkIsolated() {
    precondition(isCurrent, "this code is isolated to the event loop and must run on its thread")
  }
}

// MARK: Jobs

extension MainContextExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (isFirst, isUnattended) = state.withLock { state in
      state.jobs.append(job)
      let isUnattended = state.runner == .nobody
      if isUnattended { state.runner = .claimed }
      return (state.jobs.count == 1, isUnattended)
    }
    if isFirst { g_source_set_ready_time(wakeUp, 0) }
    if isUnattended { startThread() }
  }

  /// Runs what has been enqueued so far; jobs enqueued meanwhile wait for the next iteration.
  private func runJobs(_ source: UnsafeMutablePointer<GSource>) {
    g_source_set_ready_time(source, -1)
    let jobs = state.withLock { state in
      let jobs = state.jobs
      state.jobs = []
      return jobs
    }
    for job in jobs {
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }
}

// MARK: The thread

extension MainContextExecutor {
  /// Makes the calling thread the loop's.
  func becomeRunner() {
    state.withLock { state in
      precondition(state.runner != .claimed, "the event loop is already run by a thread")
      state.runner = .claimed
    }
    adoptThread()
  }

  /// Leaves the loop without a thread; jobs wait until the next ``becomeRunner()``.
  func resignRunner() {
    thread.store(0, ordering: .relaxed)
    state.withLock { $0.runner = .resigned }
  }

  /// Waits for events and dispatches those of the highest priority.
  func iterate() { g_main_context_iteration(context, 1) }

  private func adoptThread() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

  private func startThread() {
    let thread = g_thread_new(
      "event-loop",
      { _ in
        EventLoop.executor.adoptThread()
        while true { EventLoop.executor.iterate() }
      }, nil)
    g_thread_unref(thread)
  }
}
