import EventLoop
import Glibc
import Synchronization
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

  @Test func `a timer for an earlier instant ends the wait for a later one`() async {
    let late = EventLoop.after(.seconds(10_000)) {}
    await Task.detached { _ = usleep(5000) }.value  // the loop waits meanwhile
    await EventLoop.pause(.milliseconds(1))
    late.cancel()
  }

  @Test func `what waits for the end of a turn comes once, after the rest of the turn`() async {
    let log = Log()
    let end = EventLoop.TurnEnd { log.add("end") }
    end.schedule()
    end.schedule()
    log.add("rest")
    await EventLoop.pause(.zero)
    await EventLoop.pause(.zero)
    #expect(log.entries == ["rest", "end"])
    end.schedule()
    await EventLoop.pause(.zero)
    #expect(log.entries == ["rest", "end", "end"])
  }

  @Test func `only timers that are set are counted`() {
    let before = EventLoop.timerCount
    let timer = EventLoop.after(.seconds(10_000)) {}
    #expect(EventLoop.timerCount == before + 1)
    timer.cancel()
    #expect(EventLoop.timerCount == before)
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

  /// The loop does not wait, because there is idle work. Then it finds the descriptor ready, which goes first and cancels the work.
  @Test func `idle work that is cancelled when its turn has come is not done`() async throws {
    let (ours, theirs) = try socketPair()
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

  @Test func `two watches of one descriptor are each called for what they want`() async throws {
    let (ours, theirs) = try socketPair()
    let log = Log()
    await withCheckedContinuation { done in
      let reading = EventLoop.DescriptorWatch(ours.rawValue, for: .readable) {
        log.add("reading \($0.rawValue)")
        log.watches[0].end()
        log.watches[1].interests = .writable
      }
      let writing = EventLoop.DescriptorWatch(ours.rawValue, for: []) {
        log.add("writing \($0.rawValue)")
        log.watches = []
        log.timers = [EventLoop.after(.milliseconds(2)) { done.resume() }]
      }
      log.watches = [reading, writing]
      write(theirs.rawValue, "x", 1)
    }
    let (readable, writable) = (EventLoop.Readiness.readable, EventLoop.Readiness.writable)
    #expect(log.entries == ["reading \(readable.rawValue)", "writing \(writable.rawValue)"])
    _ = theirs
  }

  /// The kernel does not watch a file.
  @Test func `a file is always ready`() async throws {
    let file = FileDescriptor(owning: open("/proc/self/exe", O_RDONLY | O_CLOEXEC))
    let log = Log()
    await withCheckedContinuation { done in
      log.watch = EventLoop.DescriptorWatch(file.rawValue, for: []) { readiness in
        log.add("\(readiness.contains(.readable))")
        guard log.entries.count == 2 else { return }
        log.watch = nil
        log.timers = [EventLoop.after(.milliseconds(2)) { done.resume() }]
      }
      log.watch?.interests = .readable
    }
    #expect(log.entries == ["true", "true"])
  }

  /// Nobody hangs up in a file.
  @Test func `the loop sleeps while a file is watched only for its end`() async throws {
    let file = FileDescriptor(owning: open("/proc/self/exe", O_RDONLY | O_CLOEXEC))
    let watch = EventLoop.DescriptorWatch(file.rawValue, for: .peerHangUp) { _ in }
    #expect(try await canSleep(), "it has looked again and again instead")
    watch.end()
  }

  @Test func `the loop sleeps while signals and children are watched, and after their ends`() async throws {
    let signals = EventLoop.SignalWatch(SIGWINCH) {}
    let (sleeper, end) = (spawn("sleep", "600"), Promise<Int32>())
    let child = EventLoop.ChildWatch(sleeper) { end.fulfil($0) }
    #expect(try await canSleep(), "both are watched")
    kill(getpid(), SIGWINCH)
    kill(sleeper, SIGKILL)
    #expect(await end.value() == SIGKILL)
    #expect(try await canSleep(), "both have come")
    _ = (signals, child)
  }

  /// Both are readable in one turn. The first that is called closes the other, and watches a third descriptor that gets its number.
  @Test func `what was found of a closed descriptor is not told of the next with its number`() async throws {
    let (first, second, third) = (try socketPair(), try socketPair(), try socketPair())
    let log = Log()
    await withCheckedContinuation { done in
      for (index, (one, other)) in [(first.0, second.0), (second.0, first.0)].enumerated() {
        log.watches.append(
          EventLoop.DescriptorWatch(one.rawValue, for: .readable) { _ in
            log.add("one")
            log.watches[1 - index].end()
            log.watches[index].end()
            dup2(third.0.rawValue, other.rawValue)
            log.watch = EventLoop.DescriptorWatch(other.rawValue, for: .readable) { _ in
              log.add("third")
              log.watch = nil
              done.resume()
            }
            log.timers = [EventLoop.after(.milliseconds(2)) { write(third.1.rawValue, "x", 1) }]
          })
      }
      write(first.1.rawValue, "x", 1)
      write(second.1.rawValue, "x", 1)
    }
    #expect(log.entries == ["one", "third"])
    var byte: UInt8 = 0
    #expect(read(third.0.rawValue, &byte, 1) == 1, "it was called when there was something to read")
  }

  @Test func `what is ready comes before a timer that is due, but does not stop it`() async throws {
    let (ours, theirs) = try socketPair()
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

  /// A signal that has a handler ends the wait without an event, and so does a process's continuing after a stop.
  @Test func `a wait that a signal ends is no look`() async throws {
    signal(SIGURG) { _ in }
    defer { signal(SIGURG, SIG_DFL) }
    // The loop's thread inherits the blocked signals of the one that began it.
    var signals = sigset_t()
    sigaddset(&signals, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    let (ours, theirs) = try socketPair()
    let thread = pthread_self()
    let log = Log()
    // Repeated, because the loop may not wait yet when the signal comes, or may have had a turn for something else.
    for _ in 0..<20 where log.entries.isEmpty {
      await withCheckedContinuation { done in
        let signalled = Mutex<Int64>(0)
        log.watch = EventLoop.DescriptorWatch(ours.rawValue, for: .readable) { _ in
          log.watch = nil
          if EventLoop.previousLook < signalled.withLock({ $0 }) { log.add("one look") }
          var byte: UInt8 = 0
          read(ours.rawValue, &byte, 1)
          done.resume()
        }
        Task.detached {
          _ = usleep(5000)
          signalled.withLock { $0 = EventLoop.now }
          pthread_kill(thread, SIGURG)
          _ = usleep(5000)
          write(theirs.rawValue, "x", 1)
        }
      }
    }
    #expect(log.entries == ["one look"])
  }

  /// While the loop waits for nothing else, and while it never waits.
  @Test(arguments: [(SIGUSR1, false), (SIGUSR2, true)])
  func `each signal becomes a call`(signal: Int32, isBusy: Bool) async throws {
    let (ours, theirs) = try socketPair()
    let log = Log()
    if isBusy { log.watch = EventLoop.DescriptorWatch(ours.rawValue, for: .writable) { _ in } }
    for _ in 0..<5 {
      await withCheckedContinuation { done in
        log.signals = EventLoop.SignalWatch(signal) { done.resume() }
        Task.detached {
          _ = usleep(2000)
          kill(getpid(), signal)
        }
      }
    }
    log.signals = nil
    log.watch = nil
    _ = theirs
  }

  /// Each has the number of the one before for the descriptor by which the loop learns of its end.
  @Test(arguments: [false, true])
  func `the end of each child is told`(isBusy: Bool) async throws {
    let (ours, theirs) = try socketPair()
    let log = Log()
    if isBusy { log.watch = EventLoop.DescriptorWatch(ours.rawValue, for: .writable) { _ in } }
    // The task never leaves the loop's thread, so that no job wakes the loop up instead of GLib.
    await EventLoop.start {
      for status in 1...5 as ClosedRange<Int32> {
        await EventLoop.pause(.milliseconds(1))
        let end = Promise<Int32>()
        let child = EventLoop.ChildWatch(spawn("sh", "-c", "sleep 0.0\(status); exit \(status)")) {
          end.fulfil($0)
        }
        #expect(await end.value() == status << 8)
        _ = child
      }
    }.value
    let ends = [Promise<Int32>(), Promise()]
    let children = zip(["true", "false"], ends).map { name, end in
      EventLoop.ChildWatch(spawn(name)) { end.fulfil($0) }
    }
    #expect(await ends[1].value() == 1 << 8)
    #expect(await ends[0].value() == 0)
    log.watch = nil
    _ = (children, theirs)
  }

  @Test func `a child that is watched no longer does not disturb the next descriptor with its number`()
    async throws
  {
    let sleeper = spawn("sleep", "600")
    var child: EventLoop.ChildWatch? = EventLoop.ChildWatch(sleeper) { _ in Issue.record("it was dropped") }
    await EventLoop.pause(.milliseconds(1))
    _ = child
    child = nil
    let (ours, theirs) = try socketPair()
    let log = Log()
    kill(sleeper, SIGKILL)
    await withCheckedContinuation { done in
      log.watch = EventLoop.DescriptorWatch(ours.rawValue, for: .readable) { _ in
        log.watch = nil
        done.resume()
      }
      log.timers = [EventLoop.after(.milliseconds(2)) { write(theirs.rawValue, "x", 1) }]
    }
    var byte: UInt8 = 0
    #expect(read(ours.rawValue, &byte, 1) == 1, "it was called when there was something to read")
    #expect(waitpid(sleeper, nil, 0) == sleeper, "nobody else has reaped it")
  }

  /// A job that comes just before the loop waits must not wait with it.
  @Test func `a job from another thread ends the wait`() async {
    let jobs = 2000
    for _ in 0..<jobs {
      let end = Promise<Void>()
      Task.detached { EventLoop.perform { end.fulfil() } }
      await end.value()
    }
  }

  @Test func `work from another thread becomes a job`() async {
    let (values, continuation) = AsyncStream.makeStream(of: Bool.self)
    await Task.detached { EventLoop.perform { continuation.yield(EventLoop.isCurrent) } }.value
    for await isCurrent in values.prefix(1) { #expect(isCurrent) }
  }

  /// Whether the loop sleeps before it finds a byte that comes after 2 ms.
  private func canSleep() async throws -> Bool {
    let (ours, theirs) = try socketPair()
    let log = Log()
    for _ in 0..<1000 where log.entries.isEmpty {
      await withCheckedContinuation { done in
        log.watch = EventLoop.DescriptorWatch(ours.rawValue, for: .readable) { _ in
          log.watch = nil
          if EventLoop.hasSlept { log.add("slept") }
          var byte: UInt8 = 0
          read(ours.rawValue, &byte, 1)
          done.resume()
        }
        Task.detached {
          _ = usleep(2000)
          write(theirs.rawValue, "x", 1)
        }
      }
    }
    return log.entries == ["slept"]
  }

  private func spawn(_ name: String, _ words: String...) -> pid_t {
    var process: pid_t = 0
    let arguments = ([name] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    #expect(posix_spawnp(&process, name, nil, nil, arguments, environ) == 0)
    return process
  }

  private func socketPair() throws -> (FileDescriptor, FileDescriptor) {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
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
  var watches: [EventLoop.DescriptorWatch] = []
  var signals: EventLoop.SignalWatch?
  func add(_ entry: String) { entries.append(entry) }
}
