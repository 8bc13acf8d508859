import CGLib

/// The scheduled idle callbacks in order.
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

  /// Runs one callback at a time, so that urgent events can run in between.
  ///
  /// The queue may be empty: GLib remembers that there was work, and an event in between may have cancelled it.
  func work() {
    if !tasks.isEmpty { tasks.removeFirst().perform() }
  }
}

/// The queue's entry for an idle callback; it is in the queue while it is scheduled.
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
