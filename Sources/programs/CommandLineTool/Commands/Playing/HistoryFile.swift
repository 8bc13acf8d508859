import Glibc
import EventLoop
import Definitions

/// The lines that a person has typed, kept for later runs in `$XDG_STATE_HOME/blemu/history`, by default
/// `~/.local/state/blemu/history`. Only this user may read it.
struct HistoryFile {
  /// Older lines are forgotten.
  static let mostLines = 1000
  /// The longest line that is kept, bytes.
  private static let longestLine = 4096

  private let path: String

  /// nil: there is no home folder.
  init?(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    let state = environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let folder = state ?? environment("HOME").map({ $0 + "/.local/state" }) else { return nil }
    path = folder + "/blemu/history"
  }

  /// The lines, oldest first. Cuts a file that has grown to twice the lines.
  func load() -> [String] {
    guard let text = try? TextFile.read(path) else { return [] }
    let lines = text.split(separator: "\n").map(String.init)
    let last = Array(lines.suffix(Self.mostLines))
    if lines.count > Self.mostLines * 2 {
      _ = try? AtomicFile.write(last.joined(separator: "\n") + "\n", to: path, isPrivate: true)
    }
    return last
  }

  /// Adds a line at once, so that it outlasts whatever ends the program. A history that cannot be written is not kept.
  func append(_ line: String) {
    guard line.utf8.count <= Self.longestLine, !line.contains("\n") else { return }
    makeFolders()
    let number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { return }
    _ = FileDescriptor(owning: number).write(line + "\n")
  }

  private func makeFolders() {
    for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
  }
}
