import Definitions
import DeviceModel
import Devices
import EventLoop
import Peripheral
import Transcripts

extension Command {
  static let play = Command(
    "play", .testing, arguments: "DEFINITION", words: .definitions,
    summary: "Lets you play the central in the terminal, without Bluetooth.",
    options: [
      .set, .seed,
      Option(
        "--record", takes: "FILE", "saves the conversation as a transcript",
        words: .files),
      Option("--force", "lets --record replace an existing file without asking"),
      Option("--watch", "restarts the device when one of its files changes"),
    ],
    examples: [
      Example("blemu play bracelet", "connects you to a fitness bracelet in memory"),
      Example(
        "blemu play lamp.yaml --record lamp-new.transcript",
        "saves your input and the device's answers as a transcript"),
    ]
  ) { arguments throws(CommandError) in
    try PlayCommand(arguments).run()
  }
}

/// `blemu play DEFINITION`
struct PlayCommand {
  private let name: String
  private let assignments: [String]
  let seed: UInt64
  let recordingPath: String?
  /// Whether the recording may replace a file.
  private let canReplace: Bool
  /// Whether the device restarts once its files have changed.
  let watches: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    seed = try SeedOption.parse(arguments["--seed"]) ?? 0
    recordingPath = arguments["--record"]
    canReplace = arguments["--force"] != nil
    watches = arguments["--watch"] != nil
    name = try arguments.one("DEFINITION")
    assignments = arguments.all("--set")
  }

  /// Runs until `quit` or the end of the input.
  func run() throws(CommandError) -> ExitStatus {
    let (choice, record) = try choose()
    return BlemuTool.runLoop { () async throws(CommandError) in
      let reader = LineReader(
        prompt: "\(choice.definition.name)> ", completer: LineCompleter(choice.definition))
      guard try mayRecord(reader) else { return .success }
      if reader.isTerminal { Terminal.print(PlayHelp.greeting) }
      return try await PlaySession(self, choice, record, reader).run()
    }
  }

  /// Reads the definition, and notes its files.
  func choose() throws(CommandError) -> (DefinitionChoice, FileRecord) {
    var library = DefinitionLibrary.ofThisProgram()
    let record = FileRecord()
    library.files = record
    return (try DefinitionChoice(name, assignments: assignments, on: .loopback, library: library), record)
  }

  @EventLoop
  private func mayRecord(_ reader: LineReader) throws(CommandError) -> Bool {
    guard let recordingPath, !canReplace, FileSystem.isFile(recordingPath) else { return true }
    guard reader.isTerminal else {
      throw CommandError(
        .cannotCreate, "'\(recordingPath)' exists", "choose another file, or replace it with --force")
    }
    return reader.confirms("'\(recordingPath)' exists. Replace it?")
  }
}
