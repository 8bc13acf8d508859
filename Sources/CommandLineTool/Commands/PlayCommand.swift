import Definitions
import DeviceModel
import EventLoop
import Peripheral
import Transcripts

/// `blemu play DEFINITION`
struct PlayCommand {
  private let name: String
  private let assignments: [String]
  let seed: UInt64
  let recordingPath: String?
  /// Whether the recording may replace a file.
  private let canReplace: Bool
  /// Whether the device starts anew once its files have changed.
  let watches: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    seed = try SeedOption.parse(arguments["--seed"]) ?? 0
    recordingPath = arguments["--record"]
    canReplace = arguments["--force"] != nil
    watches = arguments["--watch"] != nil
    name = try arguments.one("DEFINITION", for: .play)
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
    guard reader.isTerminal else { throw .fileExists(recordingPath) }
    return reader.confirms("'\(recordingPath)' exists. Replace it?")
  }
}
