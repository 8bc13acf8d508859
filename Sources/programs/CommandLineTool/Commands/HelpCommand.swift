import Definitions
import Glibc

extension Command {
  static let help = Command(
    "help", .program, arguments: "[COMMAND|TOPIC]", words: .commandsAndTopics,
    summary: "Explains a command, or shows a chapter of the reference.",
    notes: [
      "A TOPIC is one of these: "
        + HelpTopic.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ") + ".",
      "On a terminal, a chapter opens in the pager: the program in the variable PAGER, by default less.",
    ],
    examples: [
      Example("blemu help run", "lists the options of 'run'; so does 'blemu run --help'"),
      Example("blemu help transcripts", "shows how to write a transcript"),
    ]
  ) { arguments throws(CommandError) in
    let help = Help(for: STDOUT_FILENO)
    if arguments.positional.isEmpty {
      Terminal.print(help.overview)
      return .success
    }
    let name = try arguments.one("COMMAND")
    if let command = named(name) {
      Terminal.print(help.text(for: command))
    } else if let topic = HelpTopic.named(name) {
      Pager.show(try help.text(for: topic, of: .ofThisProgram()))
    } else {
      throw .unknownTopic(name, known: all.map(\.name) + HelpTopic.all.map(\.name))
    }
    return .success
  }
}
