import CGLib

/// Work that waits in the loop, which checks each queue before every wait, so adding work on the loop's own thread
/// needs no lock and no wake-up.
@EventLoop
protocol Queue {
  /// When work is due, on the clock of ``EventLoop/now``; `never` for no work, an instant in the past for work now.
  var dueInstant: Int64 { get }

  /// Does the work that is due.
  func work()
}

extension Queue {
  static var never: Int64 { .max }
}

/// Puts a queue on the loop, for as long as the process runs.
func attach(_ queue: some Queue & Sendable, priority: Int32) {
  let source = g_source_new(queueFunctions, UInt32(MemoryLayout<QueueSource>.size))!
  source.withMemoryRebound(to: QueueSource.self, capacity: 1) {
    $0.pointee.queue = Unmanaged.passRetained(QueueBox(queue))
  }
  g_source_set_priority(source, priority)
  g_source_attach(source, nil)
}

/// A GLib source and its queue.
private struct QueueSource {
  var source: GSource
  var queue: Unmanaged<QueueBox>
}

private final class QueueBox: Sendable {
  let queue: any Queue & Sendable
  init(_ queue: any Queue & Sendable) { self.queue = queue }
}

private func queue(of source: UnsafeMutablePointer<GSource>?) -> any Queue & Sendable {
  UnsafeMutableRawPointer(source!).assumingMemoryBound(to: QueueSource.self)
    .pointee.queue.takeUnretainedValue().queue
}

/// Whether work is due; if not, the milliseconds until it is, rounded up; -1 for never.
private func prepare(_ source: UnsafeMutablePointer<GSource>?, _ timeout: UnsafeMutablePointer<gint>?)
  -> gboolean
{
  let queue = queue(of: source)
  let instant = EventLoop.assumeIsolated { queue.dueInstant }
  guard instant != .max else {
    timeout?.pointee = -1
    return 0
  }
  let delay = instant - LoopClock.now(or: g_source_get_time(source))
  timeout?.pointee = gint(clamping: (max(0, delay) + 999) / 1000)
  return delay <= 0 ? 1 : 0
}

// Unsafe: GLib wants a mutable pointer but only reads through it.
nonisolated(unsafe) private let queueFunctions = {
  let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
  functions.initialize(to: GSourceFuncs())
  functions.pointee.prepare = prepare
  functions.pointee.check = { prepare($0, nil) }
  functions.pointee.dispatch = { source, _, _ in
    let queue = queue(of: source)
    EventLoop.assumeIsolated { queue.work() }
    return 1
  }
  return functions
}()
