import Definitions
import DeviceModel
import Framing
import Glibc
import BlemuJSON

extension Command {
  static let list = Command(
    "list", .onTheAir, arguments: "[WORD]", words: .any,
    summary: "Lists the bundled devices, or those with a word in name, summary or group.",
    options: [Option("--json", "writes one JSON object per line, for programs")],
    examples: [
      Example("blemu list", "lists the names, which other commands accept as DEFINITION"),
      Example("blemu list heart", "lists the devices with 'heart' in their name, summary or group"),
    ]
  ) { arguments throws(CommandError) in
    try ListCommand(arguments).run()
  }
}

/// `blemu list [WORD]`
struct ListCommand {
  private let word: String?
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    word = arguments.positional.isEmpty ? nil : try arguments.one("WORD")
    isJSON = arguments["--json"] != nil
  }

  func run() throws(CommandError) -> ExitStatus {
    let library = DefinitionLibrary.ofThisProgram()
    guard !library.groups.isEmpty else { throw .notInstalled("the bundled definitions are") }
    let all = ListedSection.all(of: library)
    let sections = word.map { word in all.compactMap { $0.matching(word) } } ?? all
    guard !sections.isEmpty else {
      throw CommandError(
        .noDefinition, "no bundled device has '\(word ?? "")' in its name, summary or group",
        "'blemu list' lists all of them")
    }
    Terminal.print(isJSON ? ListedSection.json(sections) : text(of: sections))
    return .success
  }

  private func text(of sections: [ListedSection]) -> String {
    let style = Terminal.style(of: STDOUT_FILENO)
    let width = Terminal.width(of: STDOUT_FILENO)
    let column = 4 + (sections.flatMap(\.entries).map(\.name.count).max() ?? 0)
    return sections.map { $0.text(column: column, width: width, style) }.joined(separator: "\n")
  }
}
