/// The lines of expectations in the arguments of a command line, where each may be one argument or several:
/// `subscribe switch '> switch 01' connect`.
package struct JournalLines {
  package private(set) var texts: [String] = []
  /// The words of the last line.
  private var words: [Substring] = []
  /// Whether the last line began with an argument of several words, which may be the whole line.
  private var isWhole = false

  package init() {}

  /// Adds an argument. It begins a line if it has the first word of one and the line before can end there.
  package mutating func add(_ argument: String) {
    let new = argument.split(separator: " ")
    let form = new.first.flatMap { Form(rawValue: String($0)) }
    guard texts.isEmpty || form != nil && canEnd else {
      texts[texts.count - 1] += " " + argument
      words += new
      return
    }
    texts.append(argument)
    (words, isWhole) = (new, new.count > 1)
  }

  /// Whether the last line may be complete. After `press`, `reset` may be the name of a button.
  private var canEnd: Bool {
    let form = words.first.flatMap { Form(rawValue: String($0)) }
    return isWhole || words.count > form?.leastWords ?? 0
  }
}

extension Form {
  /// How many words after the first a line of separate arguments has before the next argument can begin another line.
  fileprivate var leastWords: Int {
    switch self {
    case .connect, .disconnect, .disconnected, .pair, .bond, .forget, .reset: 0
    case .write, .command, .request, .value, .sent, .received, .wireIn, .wireOut: 2
    case .note: .max  // `<` is an operator there
    default: 1
    }
  }
}
