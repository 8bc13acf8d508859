import CGLib
import Synchronization

/// The clock of the loop: the machine's monotonic clock, or virtual time.
enum LoopClock {
  /// The virtual time; negative: there is none.
  private static let virtual = Atomic<Int64>(-1)

  static var isVirtual: Bool { virtual.load(ordering: .relaxed) >= 0 }

  static var now: Int64 {
    let time = virtual.load(ordering: .relaxed)
    return time < 0 ? Int64(g_get_monotonic_time()) : time
  }

  static func setVirtual(_ time: Int64) { virtual.store(time, ordering: .relaxed) }
}

extension EventLoop {
  /// From now on, time stands still while code runs. Where the loop would wait for the next timer, time is that of the timer at
  /// once. So the same code always has the same times.
  ///
  /// It holds for the whole process: call this before anything else, where everything that happens comes from the process itself.
  package static func useVirtualTime() { LoopClock.setVirtual(1_000_000) }
}
