import EventLoop
import Glibc
import Testing

@EventLoop
@Suite(.timeLimit(.minutes(10)))
struct EventLoopTests {
  @Test func `jobs run in order on one thread`() async {
    #expect(EventLoop.isCurrent)
    let order = Log()
    let tasks = (0..<1000).map { number in Task { @EventLoop in order.add("\(number)") } }
    for task in tasks { await task.value }
    #expect(order.entries == (0..<1000).map { "\($0)" })
  }

  @Test func `timers fire in the order of their instants and never early`() async {
    let log = Log()
    let start = EventLoop.now
    await withCheckedContinuation { done in
      let last = EventLoop.Timer {
        log.add("last")
        log.timers = []
        done.resume()
      }
      let first = EventLoop.Timer { log.add("first") }
      let cancelled = EventLoop.after(.milliseconds(1)) { log.add("cancelled") }
      last.fire(after: .milliseconds(500))
      last.fire(at: start + 10_000)
      first.fire(at: start + 5_000)
      cancelled.cancel()
      _ = EventLoop.after(.milliseconds(2)) { log.add("dropped") }
      log.timers = [first, last, cancelled]
    }
    #expect(log.entries == ["first", "last"])
    #expect(EventLoop.now - start >= 10_000)
  }

  @Test func `a timer sets itself again`() async {
    let log = Log()
    await withCheckedContinuation { done in
      let timer = EventLoop.Timer {
        log.add("tick")
        if log.entries.count < 3 { log.timers[0].fire(after: .zero) } else { done.resume() }
      }
      log.timers = [timer]
      timer.fire(after: .zero)
    }
    log.timers = []
    #expect(log.entries == ["tick", "tick", "tick"])
  }

  @Test func `idle work waits for everything else`() async {
    let log = Log()
    await withCheckedContinuation { done in
      log.idle = EventLoop.IdleCallback {
        log.add("idle")
        done.resume()
      }
      log.idle?.schedule()
      log.idle?.schedule()
      log.timers = [EventLoop.after(.zero) { log.add("timer") }]
    }
    #expect(log.entries == ["timer", "idle"])
  }

  /// GLib notes that there is idle work, then finds the descriptor ready, which goes first and cancels it.
  @Test func `idle work that is cancelled when its turn has come is not done`() async {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let ours = FileDescriptor(owning: ends[0])
    let theirs = FileDescriptor(owning: ends[1])
    let log = Log()
    for _ in 0..<20 {
      await withCheckedContinuation { done in
        // Begun by a timer, when no job is waiting that would go before both.
        let start = EventLoop.after(.milliseconds(1)) {
          log.idle = EventLoop.IdleCallback { log.add("idle") }
          log.idle?.schedule()
          log.watch = EventLoop.DescriptorWatch(ours.rawValue, for: .writable) { _ in
            log.idle?.cancel()
            log.watch = nil
            log.timers.append(EventLoop.after(.milliseconds(2)) { done.resume() })
          }
        }
        log.timers = [start]
      }
    }
    #expect(log.entries == [])
    _ = theirs
  }

  @Test func `a descriptor is watched for what is asked, and for its end`() async {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let ours = FileDescriptor(owning: ends[0])
    let log = Log()
    await withCheckedContinuation { done in
      log.watch = EventLoop.DescriptorWatch(ours.rawValue, for: .writable) { ready in
        if ready.contains(.hangUp) {
          log.watch = nil
          done.resume()
        } else if ready.contains(.readable) {
          log.add("readable")
          log.watch?.interests = []
          close(ends[1])
        } else if ready.contains(.writable) {
          log.add("writable")
          log.watch?.interests = .readable
          write(ends[1], "x", 1)
        }
      }
    }
    #expect(log.entries == ["writable", "readable"])
  }

  @Test func `what is ready comes before a timer that is due, but does not stop it`() async throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (ours, theirs) = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    let log = Log()
    await withCheckedContinuation { done in
      // No code reads the byte, so the descriptor stays ready.
      log.watch = EventLoop.DescriptorWatch(ours.rawValue, for: .readable) { _ in log.add("ready") }
      log.timers = [
        EventLoop.Timer {
          log.add("timer")
          log.watch = nil
          done.resume()
        }
      ]
      log.timers[0].fire(after: .zero)
      write(theirs.rawValue, "x", 1)
    }
    #expect(log.entries.last == "timer")
    #expect((2...3).contains(log.entries.count), "\(log.entries)")
  }

  @Test func `a signal becomes a call`() async {
    let log = Log()
    await withCheckedContinuation { done in
      log.signals = EventLoop.SignalWatch(SIGUSR1) { done.resume() }
      kill(getpid(), SIGUSR1)
    }
    log.signals = nil
  }

  @Test func `work from another thread becomes a job`() async {
    let (values, continuation) = AsyncStream.makeStream(of: Bool.self)
    await Task.detached { EventLoop.perform { continuation.yield(EventLoop.isCurrent) } }.value
    for await isCurrent in values.prefix(1) { #expect(isCurrent) }
  }

  @Test(
    arguments: [
      (Duration.zero, 0), (.nanoseconds(1), 1), (.microseconds(7), 7), (.seconds(2), 2_000_000),
      (.microseconds(-7), -7), (.seconds(Int64.max), 1 << 60), (.seconds(Int64.min + 1), -(1 << 60)),
    ] as [(Duration, Int64)])
  func `durations are rounded up to microseconds`(duration: Duration, microseconds: Int64) {
    #expect(duration.microseconds == microseconds)
  }
}

/// The recorded events, and handles that must last until then.
@EventLoop
private final class Log {
  private(set) var entries: [String] = []
  var timers: [EventLoop.Timer] = []
  var idle: EventLoop.IdleCallback?
  var watch: EventLoop.DescriptorWatch?
  var signals: EventLoop.SignalWatch?
  func add(_ entry: String) { entries.append(entry) }
}
