import Glibc
import TestSupport

/// `blemu play` at a pseudo-terminal, as a person sees it.
final class PlayTerminal {
  private let terminal: Int32
  private let process: pid_t
  /// What the program has shown, without what is for the terminal only.
  private(set) var shown = ""
  /// How much of it has been expected.
  private var seen = 0
  private var status: Int32?

  /// Only against hanging.
  private static let patience: Int32 = 120_000

  // TIOCSPTLCK, TIOCGPTN and POSIX_SPAWN_SETSID, which are macros or GNU extensions.
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
  private static let setSession: Int32 = 0x80

  /// - Parameters:
  ///   - home: the folder of the history.
  ///   - variables: further variables of the environment, as in `PAGER=cat`.
  init(
    _ arguments: [String], command: String = "play", home: TemporaryFolder, variables: [String] = []
  ) {
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number): (Int32, Int32) = (0, 0)
    let isReady =
      ioctl(terminal, Self.setLock, &isLocked) == 0 && ioctl(terminal, Self.getNumber, &number) == 0
    precondition(isReady, "there is no pseudo-terminal")
    let name = "/dev/pts/\(number)"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    BlemuProcess.unblockSignals(&attributes, flags: Self.setSession)
    let words = [BlemuProcess.path, command] + arguments
    let environment =
      [
        "HOME=\(home.path)", "XDG_STATE_HOME=\(home.path)state", "TERM=dumb", "LC_ALL=C.UTF-8",
        "PATH=/usr/bin:/bin",
      ] + variables
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    var process: pid_t = 0
    let code = posix_spawn(&process, BlemuProcess.path, &actions, &attributes, &argv, &envp)
    precondition(code == 0, "\(BlemuProcess.path) does not start")
    for text in argv + envp { free(text) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    self.process = process
  }

  deinit {
    close(terminal)
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  /// Types keys.
  func type(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Waits for the prompt, and until the editor reads keys itself. It shows the prompt before, and until then, the kernel
  /// takes Ctrl-D and others for itself. Once a word is completed, the editor has it; the line is discarded again.
  func takesKeys() -> Bool {
    guard shows("Meter> ") else { return false }
    type("conn\t")
    guard shows("connect") else { return false }
    type("\u{15}")
    return true
  }

  /// Waits until the program shows a text, after what was expected before.
  ///
  /// - Returns: whether it does.
  func shows(_ text: String) -> Bool {
    while true {
      let new = shown.utf8.dropFirst(seen)
      if let place = Self.place(of: Array(text.utf8), in: Array(new)) {
        seen += place + text.utf8.count
        return true
      }
      guard readMore() else { return false }
    }
  }

  /// The exit status, once the program has ended.
  func end() -> Int32 {
    while readMore() {}
    kill(process, SIGKILL)  // no effect on one that has ended
    var status: Int32 = 0
    waitpid(process, &status, 0)
    self.status = status
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
  }

  private func readMore() -> Bool {
    var descriptor = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Self.patience) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { read(terminal, $0.baseAddress, $0.count) }
    guard count > 0 else { return false }
    shown += String(decoding: bytes.prefix(count).filter { $0 != 0x0D && $0 != 0x07 }, as: UTF8.self)
    return true
  }

  private static func place(of part: [UInt8], in text: [UInt8]) -> Int? {
    guard text.count >= part.count else { return nil }
    return (0...(text.count - part.count)).first { text[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
