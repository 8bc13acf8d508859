import CGLib

/// The idle callbacks that are scheduled, in that order.
@EventLoop
final class IdleQueue {
  static let shared = IdleQueue()

  private var tasks: [IdleTask] = []

  private init() { attach(self, priority: G_PRIORITY_DEFAULT_IDLE) }

  func append(_ task: IdleTask) { tasks.append(task) }

  func remove(_ task: IdleTask) { tasks.removeAll { $0 === task } }
}

extension IdleQueue: Queue {
  var dueInstant: Int64 { tasks.isEmpty ? Self.never : 0 }

  /// Does one thing at a time, so that what is urgent comes between.
  ///
  /// There may be nothing left: GLib remembers that there was work, and what came between may have cancelled it.
  func work() {
    if !tasks.isEmpty { tasks.removeFirst().perform() }
  }
}

/// What an idle callback calls; it is in the queue while it is scheduled.
@EventLoop
final class IdleTask {
  private let handler: @EventLoop () -> Void
  private var isScheduled = false

  init(_ handler: @escaping @EventLoop () -> Void) { self.handler = handler }

  func schedule() {
    if !isScheduled { IdleQueue.shared.append(self) }
    isScheduled = true
  }

  func cancel() {
    if isScheduled { IdleQueue.shared.remove(self) }
    isScheduled = false
  }

  func perform() {
    isScheduled = false
    handler()
  }
}
