import EventLoop
// Preconcurrency: `environ` is a variable that nothing here changes.
@preconcurrency import Glibc
import Synchronization

/// A process of this same program that cleans up if this one is killed.
///
/// It waits for the end of its standard input, a connection whose other end only this process has. Each line is a note that replaces the
/// one before. A line with the byte 1 says that there is nothing to clean up.
@EventLoop
package final class Guard {
  package struct Failure: Error {
    package let reason: String

    init(_ code: Int32) { reason = String(cString: strerror(code)) }
  }

  /// `POSIX_SPAWN_SETSID`
  private static let setsID: Int16 = 0x80
  /// How long it may take to end.
  private static let patience = Duration.seconds(2)

  package let process: Int32
  private let connection: FileDescriptor

  /// Starts it.
  ///
  /// - Parameters:
  ///   - program: its file.
  ///   - words: its arguments.
  package init(running program: String, _ words: [String]) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(errno) }
    let input = FileDescriptor(owning: ends[0])
    connection = FileDescriptor(owning: ends[1])
    process = try withExtendedLifetime(input) { () throws(Failure) in
      try Self.spawn(program, ["blemu"] + words, input.rawValue)
    }
  }

  /// Starts one with this command line, without the name of the program; nil: this program runs no guards.
  package static func start(_ words: [String]) throws(Failure) -> Guard? {
    wasAsked.withLock { $0 } ? try Guard(running: "/proc/self/exe", words) : nil
  }

  /// Tells it what its duty needs to know. It does not wait for a guard that does not read.
  package func tell(_ note: String) { say(Array((note + "\n").utf8)) }

  private func say(_ bytes: [UInt8]) {
    send(connection.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }

  /// Ends it, and returns once it has ended.
  package func dismiss() async {
    say([Self.dismissal, UInt8(ascii: "\n")])
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

extension Guard {
  /// What a guard does after a run was killed, with the last note of the run; empty: there was none. Returns what it could not do.
  package typealias Duty = @EventLoop @Sendable (_ note: String) async -> String?

  private nonisolated static let wasAsked = Mutex(false)
  private nonisolated static let dismissal: UInt8 = 1

  /// Runs a guard if the command line, whose first word is the program's name, is that of one. A program that calls this at its start
  /// has guards.
  ///
  /// - Parameter duty: the duty of the words after the first; nil: they are those of no guard.
  /// - Returns: the exit status; nil: the program is to do something else.
  package nonisolated static func run(_ commandLine: [String], _ duty: ([String]) -> Duty?) -> Int32? {
    wasAsked.withLock { $0 = true }
    let words = Array(commandLine.dropFirst())
    guard let duty = duty(words) else { return nil }
    settle(as: words[0])
    guard let note = noteOfKilledRun() else { return 0 }
    return EventLoop.run {
      guard let problem = await duty(note) else { return 0 }
      FileDescriptor.write("blemu: \(problem)\n", to: STDERR_FILENO)
      return 1
    }
  }

  /// Keeps nothing of the run. The name that `ps` and `killall` know is not the run's.
  private nonisolated static func settle(as name: String) {
    closefrom(STDERR_FILENO + 1)
    chdir("/")
    let file = FileDescriptor(owning: open("/proc/self/comm", O_WRONLY | O_CLOEXEC))
    _ = file.write(name)
  }

  /// Waits until the run has ended or dismisses the guard. Returns its last note; nil: it was not killed.
  private nonisolated static func noteOfKilledRun() -> String? {
    var (note, line): ([UInt8], [UInt8]) = ([], [])
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      for byte in buffer.prefix(count) {
        if byte == dismissal { return nil }
        if byte == UInt8(ascii: "\n") { (note, line) = (line, []) } else { line.append(byte) }
      }
    }
    return String(decoding: note, as: UTF8.self)
  }
}
