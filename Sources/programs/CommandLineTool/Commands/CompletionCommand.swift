extension Command {
  static let completion = Command(
    "completion", .program, arguments: "bash|zsh|fish",
    words: .oneOf(CompletionScript.allCases.map(\.rawValue)),
    summary: "Prints a script for the completion of command lines in a shell.",
    notes: [
      "tools/install puts the scripts where shells look for them. "
        + "They get the candidates from 'blemu completion words -- WORD…'."
    ],
    examples: [
      Example(
        "source <(blemu completion bash)", "loads the script into the current shell; zsh likewise"
      ),
      Example("blemu completion fish | source", "loads it into the current fish"),
    ]
  ) { arguments throws(CommandError) in
    try CompletionCommand(arguments).run()
  }
}

/// `blemu completion SHELL`
struct CompletionCommand {
  /// The word before those of a command line whose completion a script asks for.
  private static let asking = "words"

  private let text: String

  init(_ arguments: Arguments) throws(CommandError) {
    guard arguments.positional.first != Self.asking else {
      text = Completion(of: Array(arguments.positional.dropFirst())).lines
      return
    }
    let name = try arguments.one("SHELL")
    guard let shell = CompletionScript(rawValue: name) else {
      throw .badArgument(
        name, command: Command.completion.name,
        known: CompletionScript.allCases.map(\.rawValue))
    }
    text = shell.text
  }

  func run() -> ExitStatus {
    Terminal.print(text)
    return .success
  }
}
