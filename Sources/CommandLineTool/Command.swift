/// What blemu can be asked to do. To add a command: a case here with its options, and a file in `Commands/`.
enum Command: String, CaseIterable {
  case run, check, show, play, test, list, schema, help, version

  /// An option of a command.
  struct Option {
    var name: String
    /// What follows it; nil when nothing does.
    var placeholder: String?
    var summary: String
    /// Whether all words behind it are its own, up to a `--`.
    var takesAll = false
  }

  /// What stands behind the command's name.
  var arguments: String {
    switch self {
    case .run, .show, .play: "DEFINITION"
    case .check: "DEFINITION…"
    case .test: "[PATH…]"
    case .list, .schema, .version: ""
    case .help: "[COMMAND]"
    }
  }

  var summary: String {
    switch self {
    case .run: "put a peripheral on the air"
    case .check: "say every mistake in definition files"
    case .show: "show what a central will see"
    case .play: "talk to a peripheral in the terminal, without Bluetooth"
    case .test: "hold the conversations that transcripts describe"
    case .list: "list the bundled definitions"
    case .schema: "print a JSON Schema of definition files, for editors"
    case .help: "explain a command"
    case .version: "print the version"
    }
  }

  /// What its help says besides.
  var note: String? {
    switch self {
    case .run:
      "All words behind '--exec' are the program's, up to a '--' or the end: blemu run hm-10 --exec python3 -u robot.py\n"
        + "One of --pty, --exec, --tcp, --serial and --stdio at a time; who stands there may go and come back."
    case .test:
      "A PATH is a transcript, a definition, a folder of them, or the name of a bundled definition;\n"
        + "without one all bundled definitions are tested."
    default: nil
    }
  }

  var options: [Option] {
    switch self {
    case .run:
      [
        Option(
          name: "--on", placeholder: "TRANSPORT",
          summary:
            "bluez[:ADAPTER]: an adapter, as hci0 or by its address (by default the first that can be a peripheral); loopback: no radio and no central"
        ),
        Option(
          name: "--pty", placeholder: "PATH", summary: "the serial side as a pseudo-terminal, linked at PATH"),
        Option(
          name: "--exec", placeholder: "PROGRAM [ARGUMENT…]",
          summary:
            "the serial side as a program's standard input and output; what it says on standard error is logged",
          takesAll: true),
        Option(
          name: "--restart", placeholder: "WHEN",
          summary: "when that program is started again: never, on-failure (unless said) or always"),
        Option(
          name: "--tcp", placeholder: "[HOST:]PORT",
          summary:
            "the serial side as a TCP socket that one peer at a time connects to; on loopback unless said"),
        Option(
          name: "--serial", placeholder: "DEVICE[:BAUD]",
          summary: "the serial side as a serial port; its speed is the definition's, or 9600, unless said"),
        Option(
          name: "--stdio", placeholder: nil,
          summary: "the serial side as standard input and output; the log goes to standard error"),
        Option(
          name: "--set", placeholder: "NAME=VALUE",
          summary: "another value for a setting of the definition; may be repeated"),
        Option(
          name: "--state", placeholder: "FILE",
          summary: "keep settings that rules change in this file, for the next run; --set wins over it"),
        Option(
          name: "--seed", placeholder: "NUMBER",
          summary: "what random values depend on; the same number gives the same values"),
        Option(
          name: "--log", placeholder: "text|json", summary: "how traffic is shown; json is one object a line"),
      ]
    case .check:
      [
        Option(
          name: "--on", placeholder: "bluez|loopback",
          summary:
            "the transport that must be able to serve the device (by default bluez); loopback serves every device"
        ),
        Option(
          name: "--format", placeholder: "text|json",
          summary: "how mistakes are shown; json is one object a line, on standard output"),
      ]
    case .show:
      [
        Option(
          name: "--on", placeholder: "bluez|loopback",
          summary: "the transport on which a central sees the device (by default bluez)"),
        Option(
          name: "--set", placeholder: "NAME=VALUE",
          summary: "another value for a setting of the definition; may be repeated"),
      ]
    case .play:
      [
        Option(
          name: "--set", placeholder: "NAME=VALUE",
          summary: "another value for a setting of the definition; may be repeated"),
        Option(
          name: "--seed", placeholder: "NUMBER",
          summary: "what random values depend on; the same number gives the same values"),
        Option(
          name: "--record", placeholder: "FILE", summary: "write the conversation down as a transcript"),
      ]
    case .test:
      [
        Option(
          name: "--on", placeholder: "PLACE",
          summary:
            "loopback: in memory, where time passes at once (unless said otherwise); bluez[:ADAPTER]: on the air"
        ),
        Option(
          name: "--central", placeholder: "bluez:ADAPTER", summary: "the central's adapter, with --on bluez"),
        Option(
          name: "--set", placeholder: "NAME=VALUE",
          summary: "another value for a setting of the definition; may be repeated"),
        Option(name: "--report", placeholder: "FILE", summary: "the results as JUnit XML, for build servers"),
      ]
    default: []
    }
  }
}
