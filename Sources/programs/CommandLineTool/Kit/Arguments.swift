import Definitions
/// The words after a command's name, sorted into options and arguments.
struct Arguments {
  let command: Command
  private(set) var positional: [String] = []
  private var values: [(option: String, words: [String])] = []

  /// Sorts words: `--name value`, `--name=value`, and `--` before words that are not options. An option that takes all
  /// words takes them up to a `--` or the end.
  init(_ words: some Sequence<String>, for command: Command) throws(CommandError) {
    self.command = command
    var words = Array(words)[...]
    while let word = words.popFirst() {
      if word == "--" {
        positional += words
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        positional.append(word)
        continue
      }
      if let json = Self.json(word, &words, of: command) {
        values.append(json)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = try Self.option(parts[0], of: command)
      guard let placeholder = option.placeholder else {
        if parts.count > 1 { throw .unexpectedValue(option: option.name) }
        values.append((option.name, [""]))
        continue
      }
      guard let value = parts.count > 1 ? parts[1] : words.popFirst() else {
        throw .missingValue(option: option.name, placeholder: placeholder)
      }
      let others = option.takesAll ? words.prefix { $0 != "--" } : []
      words = words.dropFirst(others.count)
      if option.takesAll, words.first == "--" { words.removeFirst() }
      values.append((option.name, [value] + others))
    }
  }

  /// Every command that writes JSON takes `--json`, `--log json` and `--format json`. Takes these words if the command itself
  /// has another of them; nil: they are other words.
  private static func json(
    _ word: String, _ words: inout ArraySlice<String>, of command: Command
  ) -> (option: String, words: [String])? {
    let own = command.options.first { $0.name == "--json" || $0.takesJSON }
    guard let own, !command.options.contains(where: { $0.name == word.prefix { $0 != "=" } }) else {
      return nil
    }
    switch word {
    case "--json", "--log=json", "--format=json": break
    case "--log", "--format":
      guard words.first == "json" else { return nil }
      words.removeFirst()
    default: return nil
    }
    return (own.name, [own.takesJSON ? "json" : ""])
  }

  private static func option(_ name: String, of command: Command) throws(CommandError) -> Option {
    if let option = command.options.first(where: { $0.name == name }) { return option }
    if let option = Command.commonOptions.first(where: { $0.name == name }) { return option }
    throw .unknownOption(name, command: command.name, known: command.allOptions.map(\.name))
  }

  /// The value of an option; the last one if it is given several times.
  subscript(option: String) -> String? {
    values.last { $0.option == option }?.words.first
  }

  /// The time that is the value of an option, as in `1.5s`; nil: it is not given.
  func duration(_ option: String) throws(CommandError) -> Duration? {
    guard let text = self[option] else { return nil }
    guard let milliseconds = DurationText.parse(text) else {
      throw .badValue(option: option, value: text, expected: "a time with its unit, as in 500ms, 10s or 2min")
    }
    return .milliseconds(milliseconds)
  }

  /// The words of an option that takes all words.
  func words(of option: String) -> [String] {
    values.last { $0.option == option }?.words ?? []
  }

  func all(_ option: String) -> [String] {
    values.filter { $0.option == option }.compactMap(\.words.first)
  }

  /// The argument of a command that takes exactly one.
  func one(_ name: String) throws(CommandError) -> String {
    guard let first = positional.first else { throw missing(name) }
    if positional.count > 1 { throw .unexpectedArgument(positional[1], command: command.name) }
    return first
  }

  /// The error for a missing argument, which an option that takes all words may have taken.
  private func missing(_ name: String) -> CommandError {
    guard let greedy = values.last(where: { $0.words.count > 1 }) else { return lacks(name) }
    return .takenArgument(name, command: command.name, by: greedy.option, words: greedy.words)
  }

  /// The error for a missing argument.
  func lacks(_ name: String) -> CommandError { .missingArgument(name, command: command.name) }

  func none() throws(CommandError) {
    if let first = positional.first { throw .unexpectedArgument(first, command: command.name) }
  }
}
