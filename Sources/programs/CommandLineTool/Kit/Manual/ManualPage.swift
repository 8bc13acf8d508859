import BlemuControl

/// The manual page blemu(1), in the macros of man(7).
struct ManualPage {
  var text: String {
    let head = [".TH BLEMU 1 \(ProgramVersion.date) \"blemu \(ProgramVersion.text)\""]
    let sections =
      [name, synopsis, description] + [commands, commonOptions, exitStatuses, environment, seeAlso]
    return (head + sections.flatMap(\.self)).map { $0 + "\n" }.joined()
  }

  private var name: [String] {
    [".SH NAME", "blemu \\- virtual Bluetooth LE peripherals from definition files"]
  }

  private var synopsis: [String] {
    [".SH SYNOPSIS", ".B blemu", ".I COMMAND", Roff.text("[ARGUMENTS] [OPTIONS]")]
  }

  private var description: [String] {
    [".SH DESCRIPTION"]
      + Roff.paragraph(
        "blemu puts Bluetooth LE peripherals on the air, each from one YAML file. "
          + "With the option --on loopback it needs no Bluetooth.")
      + [".PP"]
      + Roff.paragraph(
        Help.definition + " blemu list shows these names.")
  }

  private var commands: [String] {
    [".SH COMMANDS"] + Command.all.flatMap(lines)
  }

  private func lines(of command: Command) -> [String] {
    let words = ["blemu", command.name, command.arguments, command.options.isEmpty ? "" : "[OPTIONS]"]
    var lines = [".SS " + Roff.argument(words.filter { !$0.isEmpty }.joined(separator: " "))]
    lines += Roff.paragraph(command.summary)
    lines += command.options.flatMap(self.lines)
    for note in command.notes { lines += [".PP"] + Roff.paragraph(note) }
    if !command.examples.isEmpty { lines += [".PP", "Examples:"] }
    for example in command.examples {
      lines += [".TP", ".B " + Roff.argument(example.line)] + Roff.paragraph(example.summary)
    }
    return lines
  }

  private func lines(of option: Option) -> [String] {
    let head = "\\fB\(Roff.text(option.name))\\fR"
    let placeholder = option.placeholder.map { " \\fI\(Roff.text($0))\\fR" } ?? ""
    return [".TP", head + placeholder] + Roff.paragraph(option.summary)
  }

  private var commonOptions: [String] {
    [".SH OPTIONS", "Every command has these options."] + Command.commonOptions.flatMap(lines)
  }

  private var exitStatuses: [String] {
    [".SH EXIT STATUS"]
      + ExitStatus.allCases.flatMap { [".TP", "\($0.rawValue)"] + Roff.paragraph($0.meaning) }
  }

  private var environment: [String] {
    [
      ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", Roff.text("if it is set and not empty, output has no colours"),
      ".TP", ".B TERM", Roff.text("if it is dumb, output has no colours"),
      ".TP", ".B XDG_RUNTIME_DIR",
      Roff.text("its folder blemu has the sockets of running devices; without it, /tmp/blemu-UID"),
    ]
  }

  private var seeAlso: [String] {
    [".SH SEE ALSO", ".BR bluetoothctl (1),", ".BR btmon (1)"]
  }
}

/// Writes text for man(7).
enum Roff {
  /// Text as it is: what roff would take for its own is escaped.
  static func text(_ text: String) -> String {
    let escaped = text.unicodeScalars.map(escape).joined()
    return escaped.hasPrefix(".") || escaped.hasPrefix("\\(aq") ? "\\&" + escaped : escaped
  }

  /// Text as lines that are not long.
  static func paragraph(_ text: String) -> [String] {
    Columns.wrapped(text, indent: 0, width: longestLine).split(separator: "\n").map { self.text(String($0)) }
  }

  /// Before characters are escaped.
  private static let longestLine = 60

  /// An argument of a macro, in quotes.
  static func argument(_ text: String) -> String { "\"" + self.text(text) + "\"" }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": return "\\e"
    case "-": return "\\-"
    case "'": return "\\(aq"
    case "\"": return "\\(dq"
    case "`": return "\\(ga"
    case "^": return "\\(ha"
    case "~": return "\\(ti"
    case " "..."~": return String(scalar)
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }
  }
}
