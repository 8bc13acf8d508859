import CGLib
import Glibc
import Synchronization

/// Runs jobs in order of arrival on the loop's thread.
final class LoopExecutor: SerialExecutor {
  private enum Runner { case nobody, claimed, resigned }

  private struct Job {
    let job: UnownedJob
    /// The task executor of the job, if no actor owns the job.
    let taskExecutor: UnownedTaskExecutor?
  }

  private struct State {
    var jobs: [Job] = []
    var runner = Runner.nobody
  }

  private let state = Mutex(State())
  /// Whether there are jobs: each turn asks for it, and most have none.
  private let isAsked = Atomic(false)
  /// The running thread's `pthread_self`; 0 for none.
  private let thread = Atomic<UInt>(0)

  var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  func checkIsolated() {
    precondition(isCurrent, "this code is isolated to the event loop and must run on its thread")
  }
}

// MARK: Jobs

extension LoopExecutor {
  func enqueue(_ job: consuming ExecutorJob) { enqueue(Job(job: UnownedJob(job), taskExecutor: nil)) }

  fileprivate func enqueue(_ job: UnownedJob, for taskExecutor: UnownedTaskExecutor) {
    enqueue(Job(job: job, taskExecutor: taskExecutor))
  }

  private func enqueue(_ job: Job) {
    let (isFirst, isUnattended) = state.withLock { state in
      state.jobs.append(job)
      isAsked.store(true, ordering: .relaxed)
      let isUnattended = state.runner == .nobody
      if isUnattended { state.runner = .claimed }
      return (state.jobs.count == 1, isUnattended)
    }
    if isFirst, !isCurrent { g_main_context_wakeup(nil) }
    if isUnattended { startThread() }
  }

  var hasJobs: Bool { isAsked.load(ordering: .relaxed) }

  /// Runs the jobs enqueued so far; jobs enqueued during this wait for the next turn.
  @EventLoop func runJobs() {
    guard hasJobs else { return }
    let jobs = state.withLock { state in
      isAsked.store(false, ordering: .relaxed)
      let jobs = state.jobs
      state.jobs = []
      return jobs
    }
    for job in jobs {
      if let taskExecutor = job.taskExecutor {
        job.job.runSynchronously(on: taskExecutor)
      } else {
        job.job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }
}

// MARK: The thread

extension LoopExecutor {
  /// Makes the calling thread the loop's thread.
  func becomeRunner() {
    state.withLock { state in
      precondition(state.runner != .claimed, "the event loop is already run by a thread")
      state.runner = .claimed
    }
    adoptThread()
  }

  /// Leaves the loop without a thread; jobs wait until the next ``becomeRunner()``.
  func resignRunner() {
    GLibContext.release()
    thread.store(0, ordering: .relaxed)
    state.withLock { $0.runner = .resigned }
  }

  private func adoptThread() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    EventLoop.assumeIsolated { GLibContext.shared.acquire() }
  }

  private func startThread() {
    let thread = g_thread_new(
      "event-loop",
      { _ in
        EventLoop.executor.adoptThread()
        while true { EventLoop.assumeIsolated { EventLoop.turn() } }
      }, nil)
    g_thread_unref(thread)
  }
}

/// Runs jobs without an actor on the loop's thread.
///
/// A continuation resumes on any executor before it hops to its actor. In a task that prefers this executor it
/// stays on the loop's thread, so the program never starts a thread pool.
final class LoopTaskExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    EventLoop.executor.enqueue(UnownedJob(job), for: asUnownedTaskExecutor())
  }
}
