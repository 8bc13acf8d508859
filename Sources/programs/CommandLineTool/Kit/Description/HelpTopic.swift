import TrafficView

/// A chapter that `blemu help` shows in the terminal.
struct HelpTopic: Sendable {
  /// Where its text comes from. It is a page in Markdown.
  enum Source: Sendable {
    /// Files of the reference, in the folder `language` next to the bundled definitions.
    case chapters([String])
    /// Made from what the program itself knows.
    case generated(@Sendable () -> String)
  }

  let name: String
  /// What it explains, for a row of the overview.
  let summary: String
  let source: Source

  static let all = [
    HelpTopic(
      name: "language", summary: "how to write a definition", source: .chapters(["README.md"])),
    HelpTopic(
      name: "expressions", summary: "operators and functions", source: .chapters(["expressions.md"])),
    HelpTopic(
      name: "transcripts", summary: "conversations for play and test",
      source: .chapters(["transcripts.md", "transcripts-of-links.md"])),
    HelpTopic(name: "faults", summary: "all kinds of faults", source: .chapters(["faults.md"])),
    HelpTopic(
      name: "json", summary: "the events of the log as JSON", source: .generated { JSONEvents.page }),
    HelpTopic(
      name: "exit-status", summary: "the statuses and their meaning",
      source: .generated { ExitStatus.page }),
  ]

  /// The topic of this name.
  static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }
}

extension HelpTopic {
  /// Its page, in Markdown.
  func page(of library: DefinitionLibrary) throws(CommandError) -> String {
    switch source {
    case .generated(let page): page()
    case .chapters(let files):
      try files.map { (file) throws(CommandError) in try library.chapter(file) }.joined(separator: "\n")
    }
  }
}

extension ExitStatus {
  /// The page about them.
  fileprivate static var page: String {
    "# Exit statuses\n\n| status | meaning |\n|---|---|\n"
      + allCases.map { "| \($0.rawValue) | \($0.meaning) |\n" }.joined()
  }
}
