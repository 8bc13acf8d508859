import Glibc

/// Shows a long text: on a terminal page by page, in the program that the variable `PAGER` names; otherwise as it is.
enum Pager {
  private static let standard = "less"
  /// How `less` is started unless the variable `LESS` says so: it shows a text that fits at once, and takes colours.
  private static let options = "FRX"
  /// The status with which a shell ends that does not find the program.
  private static let notFound: Int32 = 127

  static func show(_ text: String) {
    let program = getenv("PAGER").map { String(cString: $0) } ?? standard
    guard isatty(STDOUT_FILENO) == 1, !program.isEmpty, page(text, through: program) else {
      return Terminal.print(text)
    }
  }

  /// Returns whether there is this program.
  private static func page(_ text: String, through program: String) -> Bool {
    setenv("LESS", options, 0)
    setenv("LESSCHARSET", "utf-8", 0)  // also where no locale is set, as in a container
    signal(SIGPIPE, SIG_IGN)  // a pager may end before it has read everything
    guard let pipe = popen(program, "w") else { return false }
    signal(SIGINT, SIG_IGN)  // Ctrl-C is for the pager
    fputs(text, pipe)
    return pclose(pipe) >> 8 & 0xFF != notFound
  }
}
