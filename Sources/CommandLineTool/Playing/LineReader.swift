import Glibc

/// Reads lines that a person types, with editing and history if libedit is installed.
final class LineReader {
  private typealias ReadLine = @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias AddHistory = @convention(c) (UnsafePointer<CChar>) -> Int32

  private let prompt: String
  private let editing: (readLine: ReadLine, addHistory: AddHistory)?

  /// Whether input and output are a terminal.
  let isTerminal: Bool

  init(prompt: String) {
    self.prompt = prompt
    isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    editing = isTerminal ? Self.loadEditing() : nil
  }

  /// Loads libedit at run time: other commands start faster if it is not linked, and this one works without it.
  private static func loadEditing() -> (ReadLine, AddHistory)? {
    guard let library = dlopen("libedit.so.2", RTLD_NOW), let readLine = dlsym(library, "readline"),
      let addHistory = dlsym(library, "add_history")
    else { return nil }
    return (
      unsafeBitCast(readLine, to: ReadLine.self), unsafeBitCast(addHistory, to: AddHistory.self)
    )
  }

  /// The next line; nil at the end.
  func next() -> String? {
    guard let editing else {
      if isTerminal { Terminal.print(prompt) }
      return readLine()
    }
    guard let line = editing.readLine(prompt) else {
      Terminal.print("\n")
      return nil
    }
    defer { free(line) }
    if line.pointee != 0 { _ = editing.addHistory(line) }
    return String(cString: line)
  }
}
