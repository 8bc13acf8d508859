import CLineEditing
import EventLoop
import Glibc
import Transcripts

/// Edits lines at the terminal with libedit (editline(3)), which knows the keys of Emacs and vi, UTF-8 and wide characters.
///
/// It is loaded at run time: other commands start faster if it is not linked, and `play` works without it.
@EventLoop
final class LineEditor {
  private typealias Create =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutablePointer<FILE>?, UnsafeMutablePointer<FILE>?,
      UnsafeMutablePointer<FILE>?
    ) -> UnsafeMutableRawPointer?
  private typealias Destroy = @convention(c) (UnsafeMutableRawPointer) -> Void
  private typealias GetLine =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutablePointer<Int32>
    ) -> UnsafePointer<CChar>?
  private typealias GetState = @convention(c) (UnsafeMutableRawPointer) -> UnsafePointer<blemu_line>?
  private typealias Insert = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Int32
  private typealias Push = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Void
  private typealias MoveCursor = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
  private typealias ReadSettings = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>?) -> Int32
  private typealias CreateHistory = @convention(c) () -> UnsafeMutableRawPointer?

  /// What a command tells libedit (CC_EOF, CC_REFRESH, CC_ERROR, CC_REDISPLAY).
  private enum Result {
    static let (end, refresh, error, redisplay): (UInt8, UInt8, UInt8, UInt8) = (2, 4, 6, 8)
  }

  /// The editor whose line a person types: libedit's commands have no other way to it.
  private static var current: LineEditor?

  private let library: UnsafeMutableRawPointer
  private let editor: UnsafeMutableRawPointer
  private let history: UnsafeMutableRawPointer
  private let setHistory: UnsafeMutableRawPointer
  private let (getLine, getState): (GetLine, GetState)
  private let (insert, moveCursor, push): (Insert, MoveCursor, Push)
  private let prompt: UnsafeMutablePointer<CChar>
  var completer: LineCompleter
  /// Whether something has changed that a person should see before she goes on.
  var hasChanged: (() -> Bool)?
  /// Whether Ctrl-C has discarded text; nil: no Ctrl-C was typed.
  private var hadText: Bool?
  /// The line that a change has interrupted; nil: none has.
  private var interrupted: String?

  /// nil: libedit is not installed, or does not know the terminal.
  init?(prompt: String, completer: LineCompleter) {
    guard let library = dlopen("libedit.so.2", RTLD_NOW) else { return nil }
    func function<T>(_ name: String, _ type: T.Type = T.self) -> T? {
      dlsym(library, name).map { unsafeBitCast($0, to: T.self) }
    }
    Self.chooseUTF8()
    guard let create: Create = function("el_init"), let set = dlsym(library, "el_set"),
      let getLine: GetLine = function("el_gets"), let getState: GetState = function("el_line"),
      let insert: Insert = function("el_insertstr"), let moveCursor: MoveCursor = function("el_cursor"),
      let push: Push = function("el_push"),
      let readSettings: ReadSettings = function("el_source"), let setHistory = dlsym(library, "history"),
      let createHistory: CreateHistory = function("history_init"), let history = createHistory(),
      let editor = create(
        "blemu", fdopen(STDIN_FILENO, "r"), fdopen(STDOUT_FILENO, "w"), fdopen(STDERR_FILENO, "w"))
    else { return nil }
    (self.library, self.editor, self.history, self.setHistory) = (library, editor, history, setHistory)
    (self.getLine, self.getState, self.push) = (getLine, getState, push)
    (self.insert, self.moveCursor) = (insert, moveCursor)
    (self.prompt, self.completer) = (strdup(prompt), completer)
    configure(set)
    _ = readSettings(editor, nil)
  }

  /// Of the environment, or of Debian's own locale for those who have set none.
  private static func chooseUTF8() {
    setlocale(LC_CTYPE, "")
    if String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
  }

  private func configure(_ set: UnsafeMutableRawPointer) {
    blemu_set_prompt(set, editor) { _ in
      EventLoop.assumeIsolated { SharedPrompt(LineEditor.current?.prompt) }.text
    }
    blemu_handle_signals(set, editor, 1)
    blemu_limit_history(setHistory, history, Int32(HistoryFile.mostLines))
    blemu_set_history(set, editor, setHistory, history)
    blemu_set_keys(set, editor, "emacs")
    blemu_set_reader(set, editor) { _, character in
      let hasChanged = EventLoop.assumeIsolated { SharedQuestion(LineEditor.current?.hasChanged) }.ask
      guard let next = KeyReader.next(orChange: hasChanged) else { return 0 }
      character?.pointee = next
      return 1
    }
    KeyReader.start()
    blemu_add_command(set, editor, "blemu-cancel", "Discards the line") { _, _ in
      EventLoop.assumeIsolated { LineEditor.current?.cancel() ?? Result.error }
    }
    blemu_add_command(set, editor, "blemu-change", "Says what has changed") { _, _ in
      EventLoop.assumeIsolated { LineEditor.current?.interrupt() ?? Result.error }
    }
    blemu_add_command(set, editor, "blemu-complete", "Completes a word") { _, _ in
      EventLoop.assumeIsolated { LineEditor.current?.complete() ?? Result.error }
    }
    blemu_bind(set, editor, "^C", "blemu-cancel")
    blemu_bind(set, editor, "^]", "blemu-change")
    blemu_bind(set, editor, "^I", "blemu-complete")
    blemu_bind(set, editor, "^R", "em-inc-search-prev")
  }

  func remember(_ line: String) { blemu_enter_history(setHistory, history, line) }

  /// Waits for a line.
  func next() -> LineReader.Input {
    Self.current = self
    defer { Self.current = nil }
    hadText = nil
    if let interrupted { push(editor, interrupted) }
    interrupted = nil
    var count: Int32 = 0
    let text = getLine(editor, &count)
    if interrupted != nil {
      Terminal.print("\n")
      return .changed
    }
    if let hadText {
      Terminal.print("^C\n")
      return .cancelled(hadText: hadText)
    }
    guard let text, count > 0 else { return .end }
    let line = String(cString: text)
    return .line(line.last == "\n" ? String(line.dropLast()) : line)
  }
}

// MARK: Commands

extension LineEditor {
  private func cancel() -> UInt8 {
    let (line, rest) = state
    hadText = !(line + rest).isEmpty
    return Result.end
  }

  private func interrupt() -> UInt8 {
    let (line, rest) = state
    interrupted = line + rest
    return Result.end
  }

  /// The line up to the cursor, and from there on.
  private var state: (String, String) {
    guard let line = getState(editor)?.pointee else { return ("", "") }
    func text(_ start: UnsafePointer<CChar>, _ end: UnsafePointer<CChar>) -> String {
      String(decoding: UnsafeRawBufferPointer(start: start, count: max(0, end - start)), as: UTF8.self)
    }
    return (text(line.buffer, line.cursor), text(line.cursor, line.end))
  }

  private func complete() -> UInt8 {
    let (line, rest) = state
    switch completer.complete(line, before: rest) {
    case .nothing: return Result.error
    case .insert(let text, let back):
      _ = insert(editor, text)
      _ = moveCursor(editor, Int32(-back))
      return Result.refresh
    case .move(let count):
      _ = moveCursor(editor, Int32(count))
      return Result.refresh
    case .list(let words):
      Terminal.print("\n" + words.joined(separator: "  ") + "\n")
      return Result.redisplay
    }
  }
}

/// A pointer that lives as long as the program.
private struct SharedPrompt: @unchecked Sendable {
  let text: UnsafeMutablePointer<CChar>?

  init(_ text: UnsafeMutablePointer<CChar>?) { self.text = text }
}

/// A question that is asked on the loop, where it comes from.
private struct SharedQuestion: @unchecked Sendable {
  let ask: (() -> Bool)?

  init(_ ask: (() -> Bool)?) { self.ask = ask }
}
