import Definitions

/// Finds what is meant by a word that is not a command.
enum CommandSuggestion {
  static func error(for word: String) -> CommandError {
    guard word.hasPrefix("-") else {
      return CommandError(.usage, "unknown command '\(word)'", hint(line(for: word)))
    }
    return CommandError(
      .usage, "'\(word)' is not a command",
      options.contains(word)
        ? "options follow the command: blemu COMMAND \(word)"
        : hint(Suggestion.nearest(to: word, in: options)))
  }

  private static func hint(_ meant: String?) -> String {
    meant.map { "did you mean '\($0)'?" } ?? "'blemu help' lists the commands"
  }

  private static var options: [String] {
    ["--help", "--version"] + Command.all.flatMap(\.options).map(\.name)
  }

  /// The nearest command; otherwise a command for the definition, the stand or the transcript of this name.
  private static func line(for word: String) -> String? {
    let library = DefinitionLibrary.ofThisProgram()
    if word.hasSuffix(TranscriptFinder.ending), FileSystem.isFile(word) { return "blemu test \(word)" }
    if DefinitionLibrary.isStand(word) { return "blemu up \(word)" }
    if (try? library.find(word)) != nil { return "blemu run \(word)" }
    let commands = Command.all.map(\.name)
    return Suggestion.nearest(to: word, in: commands).map { "blemu \($0)" }
      ?? Suggestion.nearest(to: word, in: library.names).map { "blemu run \($0)" }
  }
}
