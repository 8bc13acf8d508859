import Glibc

extension Command {
  static let help = Command(
    "help", .program, arguments: "[COMMAND]", words: .commands,
    summary: "Explains a command.",
    examples: [Example("blemu help run", "lists the options of 'run'; so does 'blemu run --help'")]
  ) { arguments throws(CommandError) in
    guard !arguments.positional.isEmpty else {
      Terminal.print(Help(for: STDOUT_FILENO).overview)
      return .success
    }
    let name = try arguments.one("COMMAND")
    guard let command = named(name) else { throw CommandSuggestion.error(for: name) }
    Terminal.print(Help(for: STDOUT_FILENO).text(for: command))
    return .success
  }
}
