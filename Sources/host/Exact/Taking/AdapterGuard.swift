import EventLoop
// Preconcurrency: `environ` is a variable that nothing here changes.
@preconcurrency import Glibc
import Peripheral
import System
import Synchronization

/// A process of this same program that gives an adapter back if this one is killed.
///
/// It waits for the end of its standard input, a connection whose other end only this process has. A byte before the end says that the
/// adapter has been given back.
@EventLoop
package final class AdapterGuard {
  struct Failure: Error {
    let reason: String

    init(_ code: Int32) { reason = String(cString: strerror(code)) }
  }

  /// `POSIX_SPAWN_SETSID`
  private static let setsID: Int16 = 0x80
  /// How long it may take to end.
  private static let patience = Duration.seconds(2)

  let process: Int32
  private let connection: FileDescriptor

  /// Starts it.
  ///
  /// - Parameters:
  ///   - program: its file.
  ///   - words: its arguments.
  init(running program: String, _ words: [String]) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(errno) }
    let input = FileDescriptor(owning: ends[0])
    connection = FileDescriptor(owning: ends[1])
    process = try withExtendedLifetime(input) { () throws(Failure) in
      try Self.spawn(program, ["blemu"] + words, input.rawValue)
    }
  }

  /// Ends it, and returns once it has ended.
  func dismiss() async {
    send(connection.rawValue, [1], 1, Int32(MSG_NOSIGNAL))
    let end = Promise<Void>()
    let watch = EventLoop.ChildWatch(process) { _ in end.fulfil() }
    let limit = EventLoop.after(Self.patience) { end.fulfil() }
    await end.value()
    limit.cancel()
    withExtendedLifetime(watch) {}
  }

  /// It has the standard error of this process, and is in a session of its own, without a terminal. Signals that ask a run to end are
  /// not for it.
  private static func spawn(_ program: String, _ words: [String], _ input: Int32) throws(Failure) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&blocked, signal) }
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | setsID)
    var words = words.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = Privileges.lent { posix_spawn(&process, program, &actions, &attributes, &words, environ) }
    guard code == 0 else { throw Failure(code) }
    return process
  }
}

// MARK: In the guard

extension AdapterGuard {
  private nonisolated static let wasAsked = Mutex(false)

  /// Whether this program runs guards.
  nonisolated static var isAvailable: Bool { wasAsked.withLock { $0 } }

  /// Runs a guard if the command line, whose first word is the program's name, is that of one. A program that calls this at its start
  /// guards the adapters that it takes.
  ///
  /// - Returns: the exit status; nil: the program is to do something else.
  package nonisolated static func run(_ commandLine: [String]) -> Int32? {
    wasAsked.withLock { $0 = true }
    guard let adapter = GuardedAdapter(words: Array(commandLine.dropFirst())) else { return nil }
    settle()
    let hadRecord = AdapterRecord.exists(of: adapter.controller.address.address)
    guard runWasKilled() else { return 0 }
    return EventLoop.run {
      guard let problem = await KernelAdapter.giveBack(adapter, hadRecord: hadRecord) else { return 0 }
      FileDescriptor.write("blemu: \(problem)\n", to: STDERR_FILENO)
      return 1
    }
  }

  /// Keeps nothing of the run. The name that `ps` and `killall` know is not the run's.
  private nonisolated static func settle() {
    closefrom(STDERR_FILENO + 1)
    chdir("/")
    let name = FileDescriptor(owning: open("/proc/self/comm", O_WRONLY | O_CLOEXEC))
    _ = name.write(GuardedAdapter.command)
  }

  /// Waits until the run has ended.
  private nonisolated static func runWasKilled() -> Bool {
    var (byte, count): (UInt8, Int) = (0, -1)
    repeat { count = read(STDIN_FILENO, &byte, 1) } while count < 0 && errno == EINTR
    return count == 0
  }
}
