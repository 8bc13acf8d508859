import BlemuControl
import Definitions
import Glibc

/// The program `blemu-web`.
struct WebProgramFile {
  let path: String

  /// Where it may be, from the folder of this program.
  private static let places = ["blemu-web", "../libexec/blemu/blemu-web"]

  /// Finds it beside this program.
  static func find() throws(CommandError) -> WebProgramFile {
    guard let own = FileSystem.resolved("/proc/self/exe") else { throw .noWebProgram(folder: "/proc") }
    let folder = FileSystem.parent(of: own)
    let paths = places.map { "\(folder)/\($0)" }
    guard let path = paths.first(where: { access($0, F_OK) == 0 }) else {
      throw .noWebProgram(folder: folder)
    }
    return WebProgramFile(path: path)
  }

  /// Tries whether it starts, and is of this version: its libraries may be missing.
  func check() throws(CommandError) {
    let (status, output) = try answer()
    guard status == 0 else { throw .brokenWebProgram(path, output: output) }
    guard output == ProgramVersion.line(of: "blemu-web") else {
      throw CommandError(
        .unavailable,
        "'\(path)' does not belong to \(ProgramVersion.line(of: "blemu")): it says '\(output)'",
        "in the repository, tools/install installs both")
    }
  }

  /// The exit status of `blemu-web --version`, and what it prints, also to standard error.
  private func answer() throws(CommandError) -> (status: Int32, output: String) {
    var pipe: [Int32] = [-1, -1]
    guard Glibc.pipe(&pipe) == 0 else { throw .brokenWebProgram(path, output: Self.reason(errno)) }
    defer { close(pipe[0]) }
    let started = start(output: pipe)
    close(pipe[1])
    guard case .success(let process) = started else {
      throw .brokenWebProgram(path, output: Self.reason(started.code))
    }
    let output = Self.text(from: pipe[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (status, output)
  }

  private enum Start {
    case success(pid_t)
    case failure(Int32)

    var code: Int32 { if case .failure(let code) = self { code } else { 0 } }
  }

  private func start(output pipe: [Int32]) -> Start {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_adddup2(&actions, pipe[1], number)
    }
    for number in pipe { posix_spawn_file_actions_addclose(&actions, number) }
    let words: [String] = [path, "--version"]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, nil, arguments, environ)
    return code == 0 ? .success(process) : .failure(code)
  }

  /// All that comes, at most 4 KiB, as one line.
  private static func text(from descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { break }
      count += more
    }
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    return lines.joined(separator: " ")
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

extension CommandError {
  /// The program is not in the folder of this one.
  fileprivate static func noWebProgram(folder: String) -> Self {
    Self(
      .unavailable, "there is no blemu-web in '\(folder)'",
      "it serves the page; install the Debian package blemu-web and type '/usr/bin/blemu web', or use tools/install in the repository"
    )
  }

  /// - Parameter output: what it, or the loader, has said.
  static func brokenWebProgram(_ path: String, output: String) -> Self {
    Self(
      .unavailable, "'\(path)' does not start: \(output)",
      output.contains("libsoup")
        ? "libsoup is missing; 'apt-get install libsoup-3.0-0' installs it"
        : "in the repository, tools/install installs it again")
  }

}
