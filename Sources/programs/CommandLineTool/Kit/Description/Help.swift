import Framing
import Glibc

/// The help texts.
struct Help {
  /// The columns that a line may have.
  var width = standardWidth

  /// The columns of a line where there is no terminal.
  static let standardWidth = 80
  /// Longer lines are hard to read.
  private static let widest = 100

  /// Help for standard output or standard error.
  init(for descriptor: Int32) {
    width = Terminal.width(of: descriptor).map { min($0, Self.widest) } ?? Self.standardWidth
  }

  init() {}

  /// The commands that a newcomer needs.
  static let start = [
    Command.Example("blemu list", "lists the bundled devices"),
    Command.Example("blemu play bracelet", "lets you be the phone, without Bluetooth"),
    Command.Example("blemu run hm-10", "puts a device on the air, until Ctrl-C"),
    Command.Example("blemu new lamp", "makes a device of your own, with a test"),
  ]

  /// What the arguments of many commands may be.
  static let definition =
    "A DEFINITION is a file, a folder with a definition, or the name of a bundled definition."

  var overview: String {
    let groups = Command.Group.allCases.map { group in
      section(group.title, Command.all.filter { $0.group == group }.map(row(of:)))
    }
    return
      ([
        "blemu puts virtual Bluetooth LE peripherals on the air.\n",
        section("Start here", Self.start.map { row($0.line, $0.summary) }),
        "usage: blemu COMMAND …\n",
      ] + groups + [
        section(
          "Read in the terminal, with 'blemu help PAGE'",
          (HelpPages.ofThisProgram?.entrances ?? []).map(row(of:))),
        paragraph(Self.definition)
          + paragraph("'blemu help COMMAND' lists the command's options, with examples.")
          + paragraph("'blemu help -k WORD' searches all pages and commands for a word."),
      ]).joined(separator: "\n")
  }

  private func section(_ title: String, _ rows: [String]) -> String { title + ":\n" + rows.joined() }

  private func row(of command: Command) -> String {
    row("\(command.name) \(command.arguments)", command.summary)
  }

  private func row(of page: HelpPage) -> String {
    row(page.name, ((try? page.text()).map(MarkdownPage.summary) ?? "").filter { $0 != "`" })
  }

  func text(for command: Command) -> String {
    [usage(of: command), options(of: command), examples(of: command), notes(of: command)]
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// A page or a section, laid out for the terminal.
  func text(_ text: HelpText, of pages: HelpPages) -> String {
    var layout = MarkdownPage(width: width, style: Terminal.style(of: STDOUT_FILENO))
    layout.reference = { text.reference($0, among: pages) }
    guard text.section != nil else { return layout.text(text.text) }
    return layout.text(text.text) + "\n"
      + paragraph("'\(text.page.command())' shows the whole page: \(text.page.title).")
  }

  /// Sentences after the text for a command whose name pages have as well.
  func pointers(to pages: [HelpPage]) -> String {
    pages.map { "\n" + paragraph("'\($0.command())' shows the page: \($0.title).") }.joined()
  }

  private func usage(of command: Command) -> String {
    let options = command.options.isEmpty ? "" : " [OPTIONS]"
    let arguments = command.arguments.isEmpty ? "" : " " + command.arguments
    return "usage: blemu \(command.name)\(arguments)\(options)\n\n" + paragraph(command.summary)
  }

  private func options(of command: Command) -> String {
    guard !command.options.isEmpty else { return "" }
    return command.allOptions.map { row($0.head, $0.summary) }.joined()
  }

  private func examples(of command: Command) -> String {
    guard !command.examples.isEmpty else { return "" }
    return "examples:\n"
      + command.examples.map { example in
        "  \(example.line)\n" + paragraph(example.summary, indent: 6)
      }.joined()
  }

  private func notes(of command: Command) -> String {
    command.notes.map { paragraph($0) }.joined(separator: "\n")
  }

  private func row(_ head: String, _ text: String) -> String {
    Columns.row(head, text, indent: 2, column: 24, width: width)
  }

  private func paragraph(_ text: String, indent: Int = 0) -> String {
    Columns.wrapped(text, indent: indent, width: width)
  }
}

extension Option {
  /// Its name and the placeholder for its value.
  var head: String { placeholder.map { "\(name) \($0)" } ?? name }
}
