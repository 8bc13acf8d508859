import Glibc
import Synchronization

/// A process that this one has started.
final class Child: Sendable {
  let number: pid_t
  /// As waitpid(2) reports it; nil: the process runs.
  private let status = Mutex<Int32?>(nil)

  /// - Parameters:
  ///   - words: the path of the program and its arguments.
  ///   - input: the descriptor of its standard input; nil: it is empty.
  ///   - output: the path of a file for its standard output; nil: this process's own.
  ///   - errors: the path of a file for its standard error; nil: it goes where its standard output goes.
  /// - Returns: nil, and the reason in `errno`, if it cannot be started.
  init?(_ words: [String], input: Int32? = nil, output: String?, errors: String?) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    if let output { posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600) }
    if let errors {
      posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    // The threads of tasks block all signals, and the child would, too.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var number = pid_t()
    let code = posix_spawnp(&number, words[0], &actions, &attributes, arguments, environ)
    guard code == 0 else {
      errno = code
      return nil
    }
    self.number = number
  }

  /// How it has ended, if it has.
  var end: End? {
    status.withLock { status in
      var now: Int32 = 0
      if status == nil, waitpid(number, &now, WNOHANG) == number { status = now }
      return status.map(End.init)
    }
  }

  /// Sends it a signal, unless it has ended.
  func signal(_ signal: Int32) {
    status.withLock { if $0 == nil { kill(number, signal) } }
  }

  /// Waits for its end; nil: it has not ended within the time.
  func wait(for time: Duration) -> End? {
    let deadline = ContinuousClock.now + time
    while true {
      if let end { return end }
      if ContinuousClock.now > deadline { return nil }
      usleep(5000)
    }
  }

  /// Ends it at once.
  func destroy() {
    signal(SIGKILL)
    _ = wait(for: .seconds(60))
  }
}

extension Child {
  /// How a process has ended.
  enum End: Equatable {
    case exited(Int32)
    case killed(signal: Int32)

    /// - Parameter status: as waitpid(2) reports it.
    init(_ status: Int32) {
      self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
    }
  }
}

extension Child.End: CustomStringConvertible {
  var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "killed by signal \(signal)"
    }
  }
}
