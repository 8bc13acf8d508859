import BlemuJSON
import EventLoop
import TestBeds

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
      "Of a definition and a recording, blemu also compares the answers: it sends the recorded requests to the device, in memory.",
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
  private let devices: (ComparedDevice, ComparedDevice)
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
    devices = (
      try ComparedDevice(names[0], address: address), try ComparedDevice(names[1], address: address)
    )
    comparison = FactComparison(devices.0.facts, devices.1.facts)
  }

  /// How a definition answers the requests of a recording; nil: there is only one kind of the two.
  @EventLoop
  private func answers() async throws(CommandError) -> RehearsalResult? {
    guard let definition = devices.0.definition ?? devices.1.definition,
      let recording = devices.0.recording ?? devices.1.recording
    else { return nil }
    do {
      return try await CheckedLesson.compare(
        recording.conversations, recording.table, with: definition, cut: [:])
    } catch {
      throw .failure("the device cannot be tried in memory: \(error)")
    }
  }

  func run() throws(CommandError) -> ExitStatus {
    BlemuTool.runLoop { () async throws(CommandError) in report(try await answers()) }
  }

  private func report(_ answers: RehearsalResult?) -> ExitStatus {
    let isSame = comparison.differences.isEmpty && answers?.hasDifferences != true
    if isJSON {
      let json: JSONValue = [
        "a": .string(names.0), "b": .string(names.1), "same": .boolean(isSame),
        "differences": .array(comparison.json),
      ]
      Terminal.print(json.adding(["answers": answers.map { .string($0.summary) }]).lines())
    } else {
      Terminal.print(comparison.text(all: showsAll, names: names))
      if let answers { Terminal.print("answers: \(answers.summary)\n") }
    }
    return isSame ? .success : .failed
  }
}
