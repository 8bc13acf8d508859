import Glibc

/// Lines that a person types, with editing and history where libedit and a terminal allow it.
final class LineReader {
  private typealias ReadLine = @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias AddHistory = @convention(c) (UnsafePointer<CChar>) -> Int32

  private let prompt: String
  private let editing: (readLine: ReadLine, addHistory: AddHistory)?

  /// Whether somebody sits there, rather than a file or a program.
  let isTerminal: Bool

  init(prompt: String) {
    self.prompt = prompt
    isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    editing = isTerminal ? Self.loadEditing() : nil
  }

  /// libedit is looked for when it is wanted, and not linked: every other command starts faster without it, and
  /// this one works without it.
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
