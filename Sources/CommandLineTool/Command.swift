/// The commands of blemu. To add one: a case here with its options, and a file in `Commands/`.
enum Command: String, CaseIterable {
  case run, check, show, play, test, list, schema, help, version

  /// An option of a command.
  struct Option {
    var name: String
    /// The placeholder for its value in help; nil if it takes none.
    var placeholder: String?
    var summary: String
    /// Whether it takes all words that follow, up to a `--`.
    var takesAll = false
  }

  /// The placeholders for its arguments in help.
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
    case .run: "Puts a peripheral on the air."
    case .check: "Reports every mistake in definition files."
    case .show: "Shows what a central will see."
    case .play: "Lets you play the central in the terminal, without Bluetooth."
    case .test: "Runs transcripts and reports where a device differs from them."
    case .list: "Lists the bundled definitions."
    case .schema: "Prints a JSON Schema of definition files, for editors."
    case .help: "Explains a command."
    case .version: "Prints the version."
    }
  }

  /// The text at the end of its help.
  var note: String? {
    switch self {
    case .run:
      "--exec takes all words that follow, up to a '--' or the end: blemu run hm-10 --exec python3 -u robot.py\n"
        + "Only one of --pty, --exec, --tcp, --serial and --stdio can be used. Its other end may close and reopen."
    case .test:
      "A PATH is a transcript, a definition, a folder of them, or the name of a bundled definition.\n"
        + "Without a PATH, every bundled definition is tested."
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
            "selects the transport: bluez[:ADAPTER], with an adapter by name or address (default: the first that can be a peripheral); exact[:ADAPTER], with blemu's own GATT server, for which blemu needs privileges; or loopback, without a radio"
        ),
        Option(
          name: "--pty", placeholder: "PATH",
          summary: "connects the wire side to a pseudo-terminal, linked at PATH"),
        Option(
          name: "--exec", placeholder: "PROGRAM [ARGUMENT…]",
          summary:
            "connects the wire side to a program's standard input and output; its standard error is logged",
          takesAll: true),
        Option(
          name: "--restart", placeholder: "WHEN",
          summary: "selects when to restart that program: never, on-failure (default) or always"),
        Option(
          name: "--tcp", placeholder: "[HOST:]PORT",
          summary:
            "connects the wire side to a TCP port for one peer at a time (default HOST: 127.0.0.1)"),
        Option(
          name: "--serial", placeholder: "DEVICE[:BAUD]",
          summary:
            "connects the wire side to a serial port (default BAUD: that of the definition, otherwise 9600)"),
        Option(
          name: "--stdio", placeholder: nil,
          summary: "connects the wire side to standard input and output; the log goes to standard error"),
        Option(
          name: "--set", placeholder: "NAME=VALUE",
          summary: "sets a setting of the definition; may be repeated"),
        Option(
          name: "--state", placeholder: "FILE",
          summary: "keeps settings that rules change, and bonds, in FILE for the next run; --set overrides it"
        ),
        Option(
          name: "--forget-bonds", placeholder: nil,
          summary: "forgets the bonds in the file of --state, and the centrals have to pair again"),
        Option(
          name: "--seed", placeholder: "NUMBER",
          summary: "seeds random values; the same NUMBER gives the same values"),
        Option(
          name: "--log", placeholder: "text|json|none",
          summary: "selects the format of the log; json writes one object per line; none writes nothing"),
      ]
    case .check:
      [
        Option(
          name: "--on", placeholder: "bluez|exact|loopback",
          summary:
            "selects the transport to check for (default: bluez); loopback can serve every device"
        ),
        Option(
          name: "--format", placeholder: "text|json",
          summary: "selects the format of the report; json writes one object per line to standard output"),
      ]
    case .show:
      [
        Option(
          name: "--on", placeholder: "bluez|exact|loopback",
          summary: "selects the transport to show (default: bluez); exact shows all handles"),
        Option(
          name: "--set", placeholder: "NAME=VALUE",
          summary: "sets a setting of the definition; may be repeated"),
      ]
    case .play:
      [
        Option(
          name: "--set", placeholder: "NAME=VALUE",
          summary: "sets a setting of the definition; may be repeated"),
        Option(
          name: "--seed", placeholder: "NUMBER",
          summary: "seeds random values; the same NUMBER gives the same values"),
        Option(
          name: "--record", placeholder: "FILE", summary: "saves the conversation as a transcript"),
      ]
    case .test:
      [
        Option(
          name: "--on", placeholder: "PLACE",
          summary:
            "selects where to run: loopback, in memory on virtual time (default), or bluez[:ADAPTER] or exact[:ADAPTER], on the air"
        ),
        Option(
          name: "--central", placeholder: "bluez:ADAPTER",
          summary: "selects the central's adapter, with --on bluez or exact"),
        Option(
          name: "--set", placeholder: "NAME=VALUE",
          summary: "sets a setting of the definition; may be repeated"),
        Option(
          name: "--report", placeholder: "FILE", summary: "writes the results as JUnit XML, for build servers"
        ),
      ]
    default: []
    }
  }
}
