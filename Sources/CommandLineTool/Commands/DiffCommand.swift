import BlemuJSON

extension Command {
  static let diff = Command(
    "diff", .testing, arguments: "A B", words: .definitions,
    summary: "Shows how two devices differ for a central.",
    options: [
      Option("--device", takes: "ADDRESS", "selects the device of a recording with several"),
      Option("--all", "shows also what is the same"),
      Option("--json", "prints the differences in JSON, for programs"),
    ],
    notes: [
      "A and B are definitions, or recordings that 'blemu learn' reads. blemu compares the attributes with their handles, properties, permissions and initial values, the "
        + "advertising packets, the limits of links, and the security, as they are on exact with the default settings.",
      "Of a recording, blemu compares only what it tells: for example, no value that was never read.",
      "The exit status is 0 if nothing differs, and 1 if something does.",
    ],
    examples: [
      Example("blemu diff heart-rate-belt polar-h10", "shows the differences of two devices"),
      Example("blemu diff --json lamp.yaml lamp-2.yaml", "prints the differences in JSON"),
    ]
  ) { arguments throws(CommandError) in
    try DiffCommand(arguments).run()
  }
}

/// `blemu diff A B`
struct DiffCommand {
  private let names: (String, String)
  private let comparison: FactComparison
  private let showsAll: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    let names = arguments.positional
    guard names.count >= 2 else { throw arguments.lacks(names.isEmpty ? "A" : "B") }
    guard names.count == 2 else { throw .unexpectedArgument(names[2], command: "diff") }
    if arguments["--all"] != nil, arguments["--json"] != nil { throw .conflictingOptions("--json", "--all") }
    self.names = (names[0], names[1])
    (showsAll, isJSON) = (arguments["--all"] != nil, arguments["--json"] != nil)
    let address = arguments["--device"]
    comparison = FactComparison(
      try ComparedDevice(names[0], address: address).facts,
      try ComparedDevice(names[1], address: address).facts)
  }

  func run() throws(CommandError) -> ExitStatus {
    let isSame = comparison.differences.isEmpty
    if isJSON {
      let json: JSONValue = [
        "a": .string(names.0), "b": .string(names.1), "same": .boolean(isSame),
        "differences": .array(comparison.json),
      ]
      Terminal.print(json.lines())
    } else {
      Terminal.print(comparison.text(all: showsAll, names: names))
    }
    return isSame ? .success : .failed
  }
}
