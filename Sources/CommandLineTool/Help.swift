import Framing

/// The help texts.
enum Help {
  static var overview: String {
    var text =
      "blemu puts virtual Bluetooth LE peripherals on the air.\n\nusage: blemu COMMAND …\n\n"
    for command in Command.allCases {
      text +=
        "  " + "\(command.rawValue) \(command.arguments)".padded(to: 22, gap: 2) + command.summary + "\n"
    }
    text += "\nA DEFINITION is a file, a folder with a definition, or the name of a bundled definition.\n"
    return text + "'blemu help COMMAND' lists the command's options.\n"
  }

  static func text(for command: Command) -> String {
    let options = command.options.isEmpty ? "" : " [OPTIONS]"
    let arguments = command.arguments.isEmpty ? "" : " " + command.arguments
    var text = "usage: blemu \(command.rawValue)\(arguments)\(options)\n\n\(command.summary)\n"
    if !command.options.isEmpty { text += "\n" }
    for option in command.options {
      let head = option.placeholder.map { "\(option.name) \($0)" } ?? option.name
      text += "  " + head.padded(to: 24, gap: 2) + option.summary + "\n"
    }
    return text + (command.note.map { "\n\($0)\n" } ?? "")
  }
}
