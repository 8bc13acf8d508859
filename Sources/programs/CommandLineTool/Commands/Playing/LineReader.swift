import EventLoop
import Glibc
import Transcripts

/// Reads lines that a person types, with editing if libedit is installed.
@EventLoop
final class LineReader {
  enum Input: Hashable {
    case line(String)
    /// Ctrl-C; whether it has discarded text.
    case cancelled(hadText: Bool)
    /// Something has changed that was looked out for; the line so far is kept for the next.
    case changed
    case end
  }

  private let prompt: String
  private let editor: LineEditor?
  private let history: HistoryFile?

  /// Whether input and output are a terminal.
  let isTerminal: Bool

  init(prompt: String, completer: LineCompleter) {
    self.prompt = prompt
    isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    editor = isTerminal ? LineEditor(prompt: prompt, completer: completer) : nil
    history = editor == nil ? nil : HistoryFile()
    for line in history?.load() ?? [] { editor?.remember(line) }
  }

  /// The next input.
  func next() -> Input {
    guard let editor else {
      if isTerminal { Terminal.print(prompt) }
      return readLine().map(Input.line) ?? .end
    }
    let input = editor.next()
    if case .line(let line) = input, !line.isEmpty {
      editor.remember(line)
      history?.append(line)
    }
    if input == .end { Terminal.print("\n") }
    return input
  }

  /// Asked while a person types, if libedit is installed, whether ``Input/changed`` is next; nil: nothing can change.
  func lookOut(for hasChanged: (() -> Bool)?) { editor?.hasChanged = hasChanged }

  func complete(with completer: LineCompleter) { editor?.completer = completer }

  /// Asks a question that has two answers; no is the safe one.
  func confirms(_ question: String) -> Bool {
    Terminal.print("\(question) [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }
}
