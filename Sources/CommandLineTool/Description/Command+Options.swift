extension Command {
  /// Its own options, and those of every command.
  var allOptions: [Option] { options + Self.commonOptions }

  /// The options of every command.
  static var commonOptions: [Option] {
    [
      Option(
        name: "--color", placeholder: "WHEN",
        summary: "selects when output has colours: auto (default), on a terminal; always; or never",
        words: .oneOf(ColorChoice.allCases.map(\.rawValue))),
      Option(name: "--help", placeholder: nil, summary: "explains the command"),
    ]
  }

  var options: [Option] {
    switch self {
    case .run: Self.runOptions
    case .up: [.log]
    case .check:
      [
        Option(
          name: "--on", placeholder: "bluez|exact|loopback",
          summary:
            "selects the transport to check for (default: bluez); loopback can serve every device",
          words: .transports(hasAdapter: false)),
        Option(
          name: "--format", placeholder: "text|json",
          summary: "selects the format of the report; json writes one object per line to standard output",
          words: .oneOf(["text", "json"])),
        Watching.option,
      ]
    case .show:
      [
        Option(
          name: "--on", placeholder: "bluez|exact|loopback",
          summary: "selects the transport to show (default: bluez); exact shows all handles",
          words: .transports(hasAdapter: false)),
        .set,
        Option(
          name: "--source", placeholder: nil,
          summary: "prints the definition's file as it is, for a copy that you change"),
        Option(name: "--json", placeholder: nil, summary: "describes the device in JSON, for programs"),
      ]
    case .list:
      [Option(name: "--json", placeholder: nil, summary: "writes one JSON object per line, for programs")]
    case .new:
      [
        Option(
          name: "--from", placeholder: "NAME",
          summary: "begins with a bundled definition, which yours extends", words: .bundled)
      ]
    case .play:
      [
        .set, .seed,
        Option(
          name: "--record", placeholder: "FILE", summary: "saves the conversation as a transcript",
          words: .files),
        Option(name: "--force", placeholder: nil, summary: "lets --record replace a file without asking"),
        Option(
          name: "--watch", placeholder: nil,
          summary: "starts the device anew, with its new definition, once one of its files has changed"),
      ]
    case .test:
      [
        Option(
          name: "--on", placeholder: "PLACE",
          summary:
            "selects where to run: loopback, in memory on virtual time (default), or bluez[:ADAPTER] or exact[:ADAPTER], on the air",
          words: .transports(hasAdapter: true)),
        Option(
          name: "--central", placeholder: "bluez:ADAPTER",
          summary: "selects the central's adapter, with --on bluez or exact", words: .centralAdapters),
        .set,
        Option(
          name: "--filter", placeholder: "TITLE",
          summary: "runs only sections whose title contains this text, in either case; may be repeated"),
        Watching.option,
        Option(
          name: "--report", placeholder: "FILE",
          summary: "writes the results as JUnit XML, for build servers",
          words: .files),
      ]
    case .logs:
      [
        Option(
          name: "-f", placeholder: nil,
          summary: "follows: prints new lines as they come, until the device ends"),
        .after, .json,
      ]
    case .journal:
      [
        .after, .json,
        Option(
          name: "--transcript", placeholder: nil,
          summary: "prints what has happened as a transcript, which 'blemu test' runs"),
      ]
    case .web:
      [
        Option(
          name: "--listen", placeholder: "[ADDRESS:]PORT",
          summary: "selects where to listen (default: 127.0.0.1:25368); port 0 is any free one")
      ]
    case .send:
      [
        .text, .json,
        Option(
          name: "--central", placeholder: "ADDRESS",
          summary: "sends to this central only, where the transport can"),
      ]
    case .wire: [.text, .json]
    case .act:
      [
        Option(
          name: "--as", placeholder: "ADDRESS",
          summary: "is the central with this address (default: 00:00:00:00:00:02)"),
        .json,
      ]
    case .fault:
      [
        Option(name: "--remove", placeholder: "NUMBER", summary: "removes the fault with this number"),
        Option(name: "--remove-all", placeholder: nil, summary: "removes all faults"),
        .json,
      ]
    case .disconnect:
      [
        Option(
          name: "--reason", placeholder: "NAME",
          summary: "gives the central this HCI error, where the transport can, as in remote-low-resources"),
        .json,
      ]
    case .ps, .get, .set, .press, .expect, .advance, .advertise, .reset: [.json]
    default: []
    }
  }

  private static var runOptions: [Option] {
    [
      Option(
        name: "--on", placeholder: "TRANSPORT",
        summary:
          "selects the transport: bluez[:ADAPTER], with an adapter by name or address (default: the first that can be a peripheral); exact[:ADAPTER], with blemu's own GATT server, for which blemu needs privileges; or loopback, without a radio",
        words: .transports(hasAdapter: true)),
      Option(
        name: "--pty", placeholder: "PATH",
        summary: "connects the wire side to a pseudo-terminal, linked at PATH", words: .files),
      Option(
        name: "--exec", placeholder: "PROGRAM [ARGUMENT…]",
        summary:
          "connects the wire side to a program's standard input and output; its standard error is logged",
        takesAll: true, words: .files),
      Option(
        name: "--restart", placeholder: "WHEN",
        summary: "selects when to restart that program: never, on-failure (default) or always",
        words: .oneOf(["never", "on-failure", "always"])),
      Option(
        name: "--tcp", placeholder: "[HOST:]PORT",
        summary:
          "connects the wire side to a TCP port for one peer at a time (default HOST: 127.0.0.1)"),
      Option(
        name: "--serial", placeholder: "DEVICE[:BAUD]",
        summary:
          "connects the wire side to a serial port (default BAUD: that of the definition, otherwise 9600)",
        words: .files),
      Option(
        name: "--stdio", placeholder: nil,
        summary: "connects the wire side to standard input and output; the log goes to standard error"),
      .set,
      Option(
        name: "--state", placeholder: "FILE",
        summary: "keeps settings that rules change, and bonds, in FILE for the next run; --set overrides it",
        words: .files),
      Option(
        name: "--forget-bonds", placeholder: nil,
        summary: "forgets the bonds in the file of --state, and the centrals have to pair again"),
      .fault, .seed,
      .log,
      Option(
        name: "--name", placeholder: "NAME",
        summary: "names the device for 'blemu ps' and other commands (default: that of the definition's file)"
      ),
      Option(
        name: "--control", placeholder: "PATH",
        summary: "listens for these commands on a socket at PATH (default: one in $XDG_RUNTIME_DIR/blemu)",
        words: .files),
      Option(
        name: "--no-control", placeholder: nil, summary: "does not listen for them, and keeps no journal"),
    ]
  }
}

extension Command.Option {
  fileprivate static var set: Self {
    Self(
      name: "--set", placeholder: "NAME=VALUE",
      summary: "sets a setting of the definition; may be repeated", isRepeatable: true,
      words: .settings)
  }

  fileprivate static var log: Self {
    Self(
      name: "--log", placeholder: "text|json|none",
      summary: "selects the format of the log; json writes one object per line; none writes nothing",
      words: .oneOf(["text", "json", "none"]))
  }

  fileprivate static var json: Self {
    Self(name: "--json", placeholder: nil, summary: "prints JSON, for programs")
  }

  fileprivate static var after: Self {
    Self(name: "--after", placeholder: "NUMBER", summary: "begins after the event with this number")
  }

  fileprivate static var text: Self {
    Self(name: "--text", placeholder: "TEXT", summary: "takes this text in place of VALUE")
  }

  fileprivate static var fault: Self {
    Self(
      name: "--fault", placeholder: "FAULT",
      summary: "lets something go wrong, as in 'drop on serial every 3rd'; may be repeated",
      isRepeatable: true)
  }

  fileprivate static var seed: Self {
    Self(
      name: "--seed", placeholder: "NUMBER",
      summary: "seeds random values and faults; the same NUMBER gives the same ones")
  }
}
