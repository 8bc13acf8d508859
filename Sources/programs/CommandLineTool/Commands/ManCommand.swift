extension Command {
  static let man = Command(
    "man", .program, words: .nothing,
    summary: "Prints the manual page.",
    examples: [Example("blemu man | man -l -", "shows the manual page if it is not installed")]
  ) { arguments throws(CommandError) in
    try ManCommand(arguments).run()
  }
}

/// `blemu man`
struct ManCommand {
  init(_ arguments: Arguments) throws(CommandError) {
    try arguments.none()
  }

  func run() -> ExitStatus {
    Terminal.print(ManualPage().text)
    return .success
  }
}
