import EventLoop
// Preconcurrency: `environ` is a variable that nothing here changes.
@preconcurrency import Glibc
import Peripheral
import Behavior

/// A running program. It has its own process group: Ctrl-C reaches only blemu, and signals also reach the program's children.
@EventLoop
final class ChildProcess {
  let identifier: Int32
  private var watch: EventLoop.ChildWatch?

  /// The program's standard streams; borrowed.
  struct Streams {
    var input: Int32
    var output: Int32
    var errors: Int32
  }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - words: the program's name and arguments.
  ///   - onEnd: called once, never before the initializer returns.
  /// - Throws: `errno` as a ``SpawnError``.
  init(
    _ path: String, words: [String], _ streams: Streams, onEnd: @escaping @EventLoop (ProgramEnd) -> Void
  ) throws(SpawnError) {
    identifier = try Self.spawn(path, words, streams)
    watch = EventLoop.ChildWatch(identifier) { onEnd(ProgramEnd(waitStatus: $0)) }
  }

  /// Sends a signal to the program and its children.
  func signal(_ number: Int32) { kill(-identifier, number) }
}

/// The `errno` of a program that could not be started.
struct SpawnError: Error {
  var code: Int32
}

extension ChildProcess {
  private static func spawn(_ path: String, _ words: [String], _ streams: Streams) throws(SpawnError) -> Int32
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [streams.input, streams.output, streams.errors].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(&attributes)
    var words = words.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = DescriptorLimit.withInherited {
      posix_spawn(&process, path, &actions, &attributes, &words, environ)
    }
    guard code == 0 else { throw SpawnError(code: code) }
    return process
  }

  /// Gives the program its own process group, unblocks all signals, and restores SIGPIPE, which blemu ignores.
  private static func setSignals(_ attributes: inout posix_spawnattr_t) {
    var set = sigset_t()
    sigemptyset(&set)
    posix_spawnattr_setsigmask(&attributes, &set)
    sigaddset(&set, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &set)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

extension ProgramEnd {
  /// Reads the status of wait(2): a signal in the lowest 7 bits, otherwise the exit status in bits 8 to 15.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status(waitStatus >> 8 & 0xFF) : .signal(signal)
  }
}
