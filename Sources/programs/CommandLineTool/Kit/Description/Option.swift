/// An option of a command.
struct Option: Sendable {
  let name: String
  /// The placeholder for its value in help; nil if it takes none.
  let placeholder: String?
  let summary: String
  /// Whether it takes all words that follow, up to a `--`.
  let takesAll: Bool
  /// Whether each of several values counts, and not only the last.
  let isRepeatable: Bool
  /// What its value may be.
  let words: Words

  init(
    _ name: String, takes placeholder: String? = nil, _ summary: String, takesAll: Bool = false,
    isRepeatable: Bool = false, words: Words = .any
  ) {
    (self.name, self.placeholder, self.summary) = (name, placeholder, summary)
    (self.takesAll, self.isRepeatable, self.words) = (takesAll, isRepeatable, words)
  }
}

extension Option {
  /// Whether its value may be `json`.
  var takesJSON: Bool { if case .oneOf(let words) = words { words.contains("json") } else { false } }
}

// MARK: Options of several commands

extension Option {
  static let set = Option(
    "--set", takes: "NAME=VALUE", "sets a setting of the definition; may be repeated", isRepeatable: true,
    words: .settings)

  static let log = Option(
    "--log", takes: "text|json|none",
    "selects the format of the log; json (also: --json) writes one object per line; none writes nothing",
    words: .oneOf(["text", "json", "none"]))

  static let take = Option(
    "--take",
    "takes the adapter of exact although other programs have connections or advertisements on it, which end")

  static let holdClock = Option(
    "--hold-clock",
    "holds the clock of a device in memory: it stands until a program advances it (blemu advance)")

  static let linkTime = Option(
    "--link-time",
    "lets values in memory wait for the connection events of their link, as on the air")

  static let ownCentral = Option(
    "--on", takes: "PLACE",
    "selects the adapter or controller: exact[:ADAPTER] or exact:CONTROLLER (default: exact, the first adapter)",
    words: .centralAdapters)

  static let json = Option("--json", "prints JSON, for programs")

  static let after = Option("--after", takes: "NUMBER", "starts after the event with this number")

  static let text = Option("--text", takes: "TEXT", "sends this text instead of VALUE")

  static let fault = Option(
    "--fault", takes: "FAULT", "adds a fault, as in 'drop out on serial every 3rd'; may be repeated",
    isRepeatable: true)

  static let seed = Option(
    "--seed", takes: "NUMBER", "seeds random values and faults; the same NUMBER gives the same results")

  static let deviceName = Option(
    "--name", takes: "NAME",
    "names the device for 'blemu ps' and other commands (default: the name of the definition's file)")

  static let controlSocket = Option(
    "--control", takes: "PATH",
    "listens for other commands on a socket at PATH (default: in $XDG_RUNTIME_DIR/blemu)", words: .files)

  static let noControl = Option("--no-control", "does not listen for other commands, and keeps no journal")

  static let pair = Option(
    "--pair", takes: "HOW",
    "just-works (default); never; passkey, which asks for the one that the device shows; or six digits",
    words: .oneOf(["just-works", "never", "passkey"]))

  static let within = Option("--within", takes: "TIME", "looks for the device for TIME (default: 20s)")

  static let watch = Option(
    "--watch", "runs again whenever one of the files changes, until Ctrl-C")
}
