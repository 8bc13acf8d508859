import Glibc
import TestSupport

/// Runs command lines in a shell, with the built `blemu` on its path, in a folder that is removed afterwards.
struct Shell {
  let folder: TemporaryFolder

  /// What a command line has printed, and its exit status.
  struct Result: Equatable {
    var status: Int32
    var output: String
    var error: String
  }

  init(_ files: [String: String] = [:]) { folder = TemporaryFolder(files) }

  /// Runs a command line without input.
  func run(_ line: String) -> Result {
    let status = Self.system(
      "cd '\(folder.path)'; PATH=\"\(Self.programs):$PATH\"; ( \(line)\n ) >.output 2>.error </dev/null")
    return Result(
      status: status >> 8 & 0xFF, output: folder.read(".output") ?? "", error: folder.read(".error") ?? "")
  }

  /// The folder with the built programs.
  private static let programs = String(BlemuProcess.path.dropLast("/blemu".count))

  /// Whether this machine has a program.
  static func has(_ program: String) -> Bool { system("command -v \(program) >/dev/null") == 0 }

  /// Like `system(3)`, with no signal blocked: a thread of a task blocks most of them, and its children inherit that.
  private static func system(_ line: String) -> Int32 {
    var none = sigset_t()
    var own = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &own)
    defer { pthread_sigmask(SIG_SETMASK, &own, nil) }
    return Glibc.system(line)
  }
}
