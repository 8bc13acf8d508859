import Framing

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

  var overview: String {
    var text = "blemu puts virtual Bluetooth LE peripherals on the air.\n\nusage: blemu COMMAND …\n\n"
    text += rows(of: Command.all.filter { !$0.isForRunning })
    text +=
      "\nfor devices that run, by the NAME of 'blemu ps':\n"
      + rows(of: Command.all.filter(\.isForRunning))
    text +=
      "\n"
      + paragraph("A DEFINITION is a file, a folder with a definition, or the name of a bundled definition.")
    return text + paragraph("'blemu help COMMAND' lists the command's options, with examples.")
  }

  private func rows(of commands: [Command]) -> String {
    commands.map { row("\($0.name) \($0.arguments)", $0.summary) }.joined()
  }

  func text(for command: Command) -> String {
    [usage(of: command), options(of: command), examples(of: command), notes(of: command)]
      .filter { !$0.isEmpty }.joined(separator: "\n")
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
