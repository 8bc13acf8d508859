import Framing

/// What can come next on a command line.
struct Completion {
  struct Candidate: Equatable {
    /// The whole word, of which a part may be there. One that ends with `:` or `=` goes on.
    var word: String
    var summary = ""
  }

  /// Those that begin with what is there.
  private(set) var candidates: [Candidate]
  /// Whether file names are candidates as well.
  private(set) var takesFiles: Bool

  /// For scripts: a candidate a line, with its summary after a tab, and `:files`.
  var lines: String {
    candidates.map { $0.word + (($0.summary.isEmpty ? "" : "\t") + $0.summary) + "\n" }.joined()
      + (takesFiles ? ":files\n" : "")
  }

  /// - Parameter words: those after the program's name. The last one is incomplete, and may be empty.
  init(of words: [String]) {
    let line = IncompleteLine(words)
    let choices = CompletionChoices(line)
    candidates = choices.candidates.filter { $0.word.hasPrefix(line.current) }
    takesFiles = choices.takesFiles
  }
}

/// The place in a command line whose completion is asked for.
struct IncompleteLine {
  /// What may be there.
  enum Place {
    case command
    case argument(Command)
    /// The value of an option; `prefix` precedes it in the same word.
    case value(Option, prefix: String)
    case nothing
  }

  /// The incomplete word.
  let current: String
  private(set) var place = Place.command
  private(set) var command: Command?
  private(set) var positional: [String] = []
  /// The names of the options before.
  private(set) var options: [String] = []
  /// Whether options are no longer possible.
  private(set) var isPastOptions = false

  init(_ words: [String]) {
    current = words.last ?? ""
    guard words.count > 1 else { return }
    guard let command = Command.named(words[0]) else {
      place = .nothing
      return
    }
    self.command = command
    place = .argument(command)
    for word in words.dropFirst().dropLast() { take(word, command) }
    if case .argument = place, !isPastOptions, let option = Self.option(current, of: command, isSplit: true) {
      place = .value(option, prefix: option.name + "=")
    }
  }

  private mutating func take(_ word: String, _ command: Command) {
    switch place {
    case .value(let option, _) where option.takesAll:
      if word == "--" { place = .argument(command) }
    case .value: place = .argument(command)
    default: takeArgument(word, command)
    }
  }

  private mutating func takeArgument(_ word: String, _ command: Command) {
    if isPastOptions || !word.hasPrefix("-") || word == "-" {
      positional.append(word)
    } else if word == "--" {
      isPastOptions = true
    } else if let option = Self.option(word, of: command, isSplit: word.contains("=")) {
      options.append(option.name)
      let needsValue = option.placeholder != nil && !word.contains("=")
      if needsValue || option.takesAll { place = .value(option, prefix: "") }
    }
  }

  /// - Parameter isSplit: whether the option's value is in the same word.
  private static func option(_ word: String, of command: Command, isSplit: Bool) -> Option? {
    guard isSplit else { return command.allOptions.first { $0.name == word } }
    guard let equals = word.firstIndex(of: "=") else { return nil }
    return command.allOptions.first { $0.name == word[..<equals] && $0.placeholder != nil }
  }
}
