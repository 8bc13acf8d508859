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
    let name = try arguments.one("SHELL", for: .completion)
    guard let shell = CompletionScript(rawValue: name) else {
      throw .badArgument(
        name, command: Command.completion.rawValue,
        known: CompletionScript.allCases.map(\.rawValue))
    }
    text = shell.text
  }

  func run() -> ExitStatus {
    Terminal.print(text)
    return .success
  }
}
