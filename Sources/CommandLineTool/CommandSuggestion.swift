import Definitions

/// Finds what is meant by a word that is not a command.
enum CommandSuggestion {
  static func error(for word: String) -> CommandError {
    if word.hasPrefix("-") { return .misplacedOption(word, known: options) }
    return .unknownCommand(word, suggestion: line(for: word))
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
