import EventLoop
import Framing
import Glibc
import Synchronization
import System

/// Prints to standard output and standard error.
enum Terminal {
  /// The `errno` of the first write to standard output that has failed; 0 if none has.
  private static let failure = Atomic<Int32>(0)

  /// Where output has colours: what `--color` says.
  private static let colors = Mutex(ColorChoice.auto)

  static func use(_ choice: ColorChoice) { colors.withLock { $0 = choice } }

  /// The style of what a descriptor gets.
  static func style(of descriptor: Int32) -> TextStyle { colors.withLock { $0 }.style(of: descriptor) }

  /// Prints to standard output; after a failure, nothing more. A terminal gets no control characters but those that lay out text,
  /// and programs and files get the text as it is.
  ///
  /// - Parameter movement: moves a terminal's cursor first.
  static func print(_ text: String, after movement: String = "") {
    guard failure.load(ordering: .relaxed) == 0 else { return }
    let text = movement + (isatty(STDOUT_FILENO) == 1 ? VisibleText.lines(text) : text)
    if !FileDescriptor.write(text, to: STDOUT_FILENO) { failure.store(errno, ordering: .relaxed) }
  }

  /// Prints to standard error, without control characters but those that lay out text. The journal of the system gets it as one
  /// entry.
  static func printError(_ text: String) {
    let text = VisibleText.lines(text)
    guard let journal = SystemJournal(behind: STDERR_FILENO) else {
      FileDescriptor.write(text, to: STDERR_FILENO)
      return
    }
    journal.send(text, .error)
  }

  /// Why standard output lacks something that was printed; nil if it lacks nothing, or if its reader has gone, as of
  /// `blemu list | head -n 1`: that reader has what it wants.
  static var lostOutput: CommandError? {
    switch failure.load(ordering: .relaxed) {
    case 0, EPIPE: nil
    case let code: .lostOutput(code)
    }
  }

  /// The columns and rows of the terminal that a descriptor writes to; nil if it is none.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  static func width(of descriptor: Int32) -> Int? { size(of: descriptor)?.columns }
}

extension CommandError {
  /// - Parameter code: an `errno`.
  static func lostOutput(_ code: Int32) -> Self {
    Self(.lostOutput, "cannot write to standard output: \(String(cString: strerror(code)))")
  }
}
