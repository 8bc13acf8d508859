import Definitions
import Doctor
import EventLoop
import Glibc

/// `--fix`: asks for each remedy of a report, and carries it out after a yes.
struct Mender {
  private let report: DoctorReport

  init(_ report: DoctorReport) { self.report = report }

  /// Returns whether anything was done.
  func mend() -> Bool {
    let mendings = report.mendings
    var done = false
    var needsRestart = mendings.contains(.restart)
    for mending in mendings where mending != .restart {
      switch mending {
      case .command(let words):
        if ask(command(words)) { done = perform(words) || done }
      case .edit(let assignment, let path):
        guard ask("edit \(path): '\(assignment)' under [\(assignment.section)]") else { continue }
        let isEdited = edit(assignment, path)
        (done, needsRestart) = (done || isEdited, needsRestart || isEdited)
      }
    }
    if needsRestart, case .command(let words) = Mending.restart, ask(command(words)) {
      done = perform(words) || done
    }
    return done
  }

  private func ask(_ remedy: String) -> Bool {
    Terminal.print("\n\(remedy)\ndo this? [y/N] ")
    return readLine()?.lowercased().hasPrefix("y") ?? false
  }

  /// The command as an ordinary user types it.
  private func command(_ words: [String]) -> String {
    (prefix + words).map(ShellText.quoted).joined(separator: " ")
  }

  private var prefix: [String] { report.user.isRoot ? [] : ["sudo"] }

  /// Returns whether the command succeeded.
  private func perform(_ words: [String]) -> Bool {
    let problem = Self.run(prefix + words)
    if let problem { Terminal.printError("blemu: \(command(words)): \(problem)\n") }
    return problem == nil
  }

  /// Replaces the file by one with this value; 'install' keeps the old one beside it as `main.conf.~1~`.
  private func edit(_ assignment: MainConfiguration.Assignment, _ path: String) -> Bool {
    let old: String
    do { old = try TextFile.read(path) } catch {
      Terminal.printError("blemu: \(error.message)\n")
      return false
    }
    let new = "/tmp/blemu-main.conf.\(getpid())"
    do {
      try AtomicFile.write(MainConfiguration(old).setting(assignment).text, to: new, isPrivate: true)
    } catch {
      Terminal.printError("blemu: cannot write '\(error.path)': \(error.reason)\n")
      return false
    }
    defer { unlink(new) }
    let words = ["install", "--backup=numbered", "--mode=644", new, path]
    Terminal.print(command(words) + "\n")
    return perform(words)
  }

  /// Why a program failed; nil: it did not.
  private static func run(_ words: [String]) -> String? {
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let code = posix_spawnp(&process, words[0], nil, nil, arguments, environ)
    guard code == 0 else { return code == ENOENT ? Self.absent(words[0]) : String(cString: strerror(code)) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0 ? nil : "it failed"
  }

  private static func absent(_ program: String) -> String {
    let hint = program == "sudo" ? "; become root ('su -'), and run 'blemu doctor --fix' again" : ""
    return "there is no program '\(program)' on this machine\(hint)"
  }
}
