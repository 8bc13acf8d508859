import CGLib
import Glibc
import Synchronization

/// Runs jobs in order of arrival on the thread that iterates GLib's default main context.
final class MainContextExecutor: SerialExecutor {
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
  /// The running thread's `pthread_self`; 0 for none.
  private let thread = Atomic<UInt>(0)
  /// Watches the descriptor with which GLib is woken up.
  @EventLoop private var wakeUp: EventLoop.DescriptorWatch?
  /// Ends the wait when work is due.
  @EventLoop private var timer: WakeUpTimer?
  /// Whether GLib has been woken up and has not yet handled the reason.
  @EventLoop private var isAwake = false
  // Unsafe: GLib locks its contexts itself, and the pointer never changes.
  nonisolated(unsafe) private let context: OpaquePointer = g_main_context_default()

  init() {
    attach(self, priority: G_PRIORITY_DEFAULT)
    g_main_context_set_poll_func(context) { descriptors, count, timeout in
      let began = EventLoop.now
      var ready = g_poll(descriptors, count, timeout)
      var mustLookAgain = false
      EventLoop.assumeIsolated { mustLookAgain = EventLoop.hasLooked(since: began) }
      if mustLookAgain { ready = g_poll(descriptors, count, 0) }
      EventLoop.assumeIsolated { DescriptorList.shared.look(mayWait: false) }
      return ready
    }
  }

  var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  func checkIsolated() {
    precondition(isCurrent, "this code is isolated to the event loop and must run on its thread")
  }
}

// MARK: Jobs

extension MainContextExecutor: Queue {
  func enqueue(_ job: consuming ExecutorJob) { enqueue(Job(job: UnownedJob(job), taskExecutor: nil)) }

  fileprivate func enqueue(_ job: UnownedJob, for taskExecutor: UnownedTaskExecutor) {
    enqueue(Job(job: job, taskExecutor: taskExecutor))
  }

  private func enqueue(_ job: Job) {
    let (isFirst, isUnattended) = state.withLock { state in
      state.jobs.append(job)
      let isUnattended = state.runner == .nobody
      if isUnattended { state.runner = .claimed }
      return (state.jobs.count == 1, isUnattended)
    }
    if isFirst, !isCurrent { g_main_context_wakeup(context) }
    if isUnattended { startThread() }
  }

  var dueInstant: Int64 { state.withLock { $0.jobs.isEmpty ? Self.never : 0 } }

  /// Runs the jobs enqueued so far; jobs enqueued during this wait for the next iteration.
  func work() {
    let jobs = state.withLock { state in
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

extension MainContextExecutor {
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
    g_main_context_release(context)
    thread.store(0, ordering: .relaxed)
    state.withLock { $0.runner = .resigned }
  }

  /// Waits for events and handles those of the highest priority.
  func iterate() {
    var isForGLib = false
    EventLoop.assumeIsolated { isForGLib = !turn() }
    guard isForGLib else { return }
    g_main_context_iteration(context, 1)
    EventLoop.assumeIsolated {
      isAwake = false  // if GLib has been woken up once more meanwhile, its descriptor still says so
      EventLoop.TurnEnd.callScheduled()
    }
  }

  /// The same without GLib, which needs three times as long. Returns false where GLib has something to do.
  ///
  /// GLib's other sources, signals and those that other threads attach, wake it up through its own descriptor, which is in the
  /// list.
  @EventLoop private func turn() -> Bool {
    EventLoop.DescriptorWatch.updateChanged()
    guard EventLoop.ChildWatch.count == 0, !isAwake, !EventLoop.hasOtherSources else { return false }
    let began = EventLoop.now
    wait(until: min(dueInstant, IdleQueue.shared.dueInstant, TimerQueue.shared.dueInstant), from: began)
    if EventLoop.hasLooked(since: began) { DescriptorList.shared.look(mayWait: false) }
    handleMostUrgent()
    EventLoop.TurnEnd.callScheduled()
    return true
  }

  /// Waits until a descriptor is ready or work is due. In virtual time, it is due at once.
  @EventLoop private func wait(until due: Int64, from now: Int64) {
    guard due > now else { return DescriptorList.shared.look(mayWait: false) }
    guard LoopClock.isVirtual, due != Self.never else {
      timer?.goOff(by: due)
      return DescriptorList.shared.look(mayWait: true)
    }
    DescriptorList.shared.look(mayWait: false)
    if !DescriptorList.shared.isReady { LoopClock.setVirtual(due) }
  }

  /// The order is that of the sources' priorities, and of those with one priority, that in which GLib got them.
  @EventLoop private func handleMostUrgent() {
    let timers = TimerQueue.shared
    let hasOverdueTimers = timers.dueInstant <= EventLoop.previousLook
    if dueInstant == 0 || DescriptorList.shared.isReady || hasOverdueTimers {
      work()
      DescriptorList.shared.callHandlers()
      if hasOverdueTimers { timers.work() }
    } else if timers.dueInstant <= EventLoop.lastLook {
      timers.work()
    } else {
      IdleQueue.shared.work()
    }
  }

  /// Makes the calling thread the owner of the context, so that sources that other threads attach wake GLib up.
  private func adoptThread() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    g_main_context_acquire(context)
    EventLoop.assumeIsolated { if wakeUp == nil { join() } }
  }

  /// Lets the descriptors' list wait for GLib, and GLib for the list. As long as GLib has no other descriptor, it asks for the
  /// one with which it is woken up.
  @EventLoop private func join() {
    var (priority, timeout, descriptor) = (gint(0), gint(0), GPollFD())
    g_main_context_prepare(context, &priority)
    g_main_context_query(context, .max, &timeout, &descriptor, 1)
    wakeUp = EventLoop.DescriptorWatch(descriptor.fd, for: .readable) { [unowned self] _ in isAwake = true }
    timer = WakeUpTimer()
    DescriptorList.shared.attach()
  }

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

/// Runs jobs without an actor on the loop's thread.
///
/// A continuation resumes on any executor before it hops to its actor. In a task that prefers this executor it
/// stays on the loop's thread, so the program never starts a thread pool.
final class MainContextTaskExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    EventLoop.executor.enqueue(UnownedJob(job), for: asUnownedTaskExecutor())
  }
}
