import Definitions
import Glibc
import TestSupport

/// The program, run by a shell in a folder.
enum BlemuProcess {
  /// The program next to this test.
  static var path: String { BuiltProgram(name: "blemu").path }

  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Starts `blemu ARGUMENTS` as the process that it returns, with its output in `output` and `errors` in the folder.
  static func start(
    _ arguments: String, in folder: TemporaryFolder, input: String = "", environment further: [String] = []
  ) -> pid_t {
    let script =
      "cd '\(folder.path)' && printf '%s' \"$INPUT\" >input && exec '\(path)' \(arguments) <input >output 2>errors"
    let (words, environment) = (["sh", "-c", script], ["INPUT=" + input, "PATH=/usr/bin:/bin"] + further)
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    var process = pid_t()
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    unblockSignals(&attributes)
    let code = posix_spawn(&process, "/bin/sh", nil, &attributes, &argv, &envp)
    posix_spawnattr_destroy(&attributes)
    precondition(code == 0, "there is no shell")
    for text in argv + envp { free(text) }
    return process
  }

  /// The threads of tests block signals, which the program would inherit.
  ///
  /// - Parameter flags: further ones.
  static func unblockSignals(_ attributes: inout posix_spawnattr_t, flags: Int32 = 0) {
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | flags))
  }

  /// Runs `blemu ARGUMENTS` to its end.
  static func run(_ arguments: String, in folder: TemporaryFolder, input: String = "") -> Outcome {
    let process = start(arguments, in: folder, input: input)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    func text(_ name: String) -> String { (try? TextFile.read(folder.path + name)) ?? "" }
    return Outcome(status: (status >> 8) & 0xFF, output: text("output"), errors: text("errors"))
  }
}
