/// A command of the command line: its words for the help, the manual page and the completion of shells, and what it does. Each has
/// a file in `Commands/` and a line in the table of ``all``.
struct Command: Sendable {
  /// Its group in the overview.
  enum Group: CaseIterable {
    case onTheAir, writing, testing
    /// Commands that control a running device.
    case running
    case program

    var title: String {
      switch self {
      case .onTheAir: "Put a device on the air"
      case .writing: "Write a device"
      case .testing: "Test it"
      case .running: "While it runs, by the NAME that 'blemu ps' lists"
      case .program: "About this program"
      }
    }
  }

  /// A command line that works, and what it does. Tests run them.
  struct Example {
    var line: String
    var summary: String

    init(_ line: String, _ summary: String) { (self.line, self.summary) = (line, summary) }
  }

  let name: String
  let group: Group
  /// The placeholders for its arguments in help.
  let arguments: String
  /// What its arguments may be.
  let words: Words
  let summary: String
  /// Its own options.
  let options: [Option]
  /// Paragraphs at the end of its help.
  let notes: [String]
  let examples: [Example]
  /// Whether a command line may need the capabilities to manage adapters. It is known before any definition is read.
  let needsPrivileges: @Sendable (Arguments) -> Bool
  /// Does what a command line asks for.
  let run: @Sendable (Arguments) throws(CommandError) -> ExitStatus

  init(
    _ name: String, _ group: Group, arguments: String = "", words: Words, summary: String,
    options: [Option] = [], notes: [String] = [], examples: [Example] = [],
    needsPrivileges: @escaping @Sendable (Arguments) -> Bool = { _ in false },
    run: @escaping @Sendable (Arguments) throws(CommandError) -> ExitStatus
  ) {
    (self.name, self.group) = (name, group)
    (self.arguments, self.words, self.summary) = (arguments, words, summary)
    (self.options, self.notes, self.examples) = (options, notes, examples)
    (self.needsPrivileges, self.run) = (needsPrivileges, run)
  }
}

extension Command {
  /// Whether it controls a running device.
  var isForRunning: Bool { group == .running }

  /// Whether its devices can be in memory.
  var hasDevicesInMemory: Bool {
    options.contains { if $0.name == "--on", case .transports = $0.words { true } else { false } }
  }

  /// The command of this name.
  static func named(_ name: String) -> Command? { all.first { $0.name == name } }

  /// Its own options, and those of every command.
  var allOptions: [Option] { options + Self.commonOptions }

  /// The options of every command.
  static let commonOptions: [Option] = [
    Option(
      "--color", takes: "WHEN",
      "selects when output has colours: auto (default; on a terminal), always or never",
      words: .oneOf(ColorChoice.allCases.map(\.rawValue))),
    Option("--help", "explains the command"),
  ]
}
