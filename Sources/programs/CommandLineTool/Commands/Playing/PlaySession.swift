import Definitions
import DeviceModel
import Devices
import EventLoop
import Glibc
import Peripheral
import TestBeds
import Transcripts

/// The conversation of one `blemu play`, with a person or with the lines of a file.
@EventLoop
final class PlaySession {
  private let command: PlayCommand
  private let reader: LineReader
  private var choice: DefinitionChoice
  private var record: FileRecord
  private var player: Player
  private var lineNumber = 0
  /// The lines that it did not understand, and those that had no effect.
  private var lines = (notUnderstood: 0, impossible: 0)
  /// Those of devices before a change of their files.
  private var earlierExpectations = (count: 0, met: 0)
  /// The recording in the file.
  private var saved: String?

  init(_ command: PlayCommand, _ choice: DefinitionChoice, _ record: FileRecord, _ reader: LineReader) {
    (self.command, self.choice, self.record, self.reader) = (command, choice, record, reader)
    player = Self.player(command, choice)
  }

  private static func player(
    _ command: PlayCommand, _ choice: DefinitionChoice, after recording: Recording? = nil
  ) -> Player {
    Player(
      choice.definition, settings: choice.settings, seed: command.seed,
      limits: TransportSpecification.limitsInMemory(of: choice.definition),
      device: command.recordingPath.map { DeviceLine.name(of: choice.path, for: $0) }, after: recording)
  }

  /// Runs until `quit`, Ctrl-C on an empty line, or the end of the input.
  func run() async throws(CommandError) -> ExitStatus {
    try await start()
    if command.watches { lookOut() }
    defer { reader.lookOut(for: nil) }
    var wasCancelled = false
    while true {
      switch reader.next() {
      case .end,
        .cancelled(hadText: false) where wasCancelled:
        return try await finish()
      case .cancelled(let hadText):
        wasCancelled = true
        if !hadText { Terminal.print("Ctrl-C again, or 'quit', ends\n") }
      case .changed: try await reload()
      case .line(let line):
        wasCancelled = false
        lineNumber += 1
        if try await !take(line) { return try await finish() }
      }
    }
  }

  private func start() async throws(CommandError) {
    do { show(try await player.start()) } catch let error as TransportError {
      throw .run(.transport(error))
    } catch {
      throw .failure("\(error)")
    }
  }

  /// - Returns: whether the conversation goes on.
  private func take(_ line: String) async throws(CommandError) -> Bool {
    if command.watches { try await reload() }
    switch line.split(separator: " ").first {
    case "quit", "exit": return false
    case "help": Terminal.print(PlayHelp.text(for: choice.definition))
    default:
      let output = await player.take(line)
      switch player.outcome {
      case .notUnderstood: lines.notUnderstood += 1
      case .impossible: lines.impossible += 1
      case .done, .unmet: break
      }
      if player.outcome != .done, !reader.isTerminal { Terminal.print("line \(lineNumber):\n") }
      show(output)
      if reader.isTerminal { try save() }
    }
    return true
  }

  private func finish() async throws(CommandError) -> ExitStatus {
    await player.stop()
    try save()
    if saved != nil, let path = command.recordingPath {
      Terminal.print("saved the conversation to \(path)\n")
    }
    guard !reader.isTerminal else { return .success }
    if lines.notUnderstood > 0 {
      throw CommandError(
        .badDefinition,
        "\(lines.notUnderstood) \(lines.notUnderstood == 1 ? "line was" : "lines were") not understood",
        "see the messages above")
    }
    let (count, met) = expectations
    if met < count {
      throw CommandError(
        .failed,
        "\(count - met) of \(count) \(count == 1 ? "expectation was" : "expectations were") not met",
        "the lines with 'not met' say why")
    }
    if lines.impossible > 0 {
      throw CommandError(
        .failed, "\(Phrase.count(lines.impossible, "line")) had no effect", "see the messages above")
    }
    if count > 0 { Terminal.print("expectations met: \(count)\n") }
    return .success
  }

  /// Saves after each line, so that nothing that ends the program loses the recording.
  private func save() throws(CommandError) {
    guard let path = command.recordingPath, !player.recording.isEmpty else { return }
    let text = player.recording.text
    guard text != saved else { return }
    try BlemuTool.write(text, to: path)
    saved = text
  }

  private var expectations: (count: Int, met: Int) {
    let (earlier, now) = (earlierExpectations, player.expectations)
    return (earlier.count + now.count, earlier.met + now.met)
  }

  private func show(_ lines: [String]) {
    for line in lines { Terminal.print(line + "\n") }
  }
}

// MARK: Changed files

extension PlaySession {
  /// Interrupts the prompt once files have changed, and then stayed the same: editors write in several steps.
  private func lookOut() {
    var last: [String] = []
    reader.lookOut { [self] in
      let changes = record.changes
      defer { last = changes }
      return !changes.isEmpty && changes == last
    }
  }

  /// Starts the device anew with its new definition, if one of its files has changed. One with mistakes is not taken.
  private func reload() async throws(CommandError) {
    let changes = record.changes
    guard !changes.isEmpty else { return }
    Terminal.print("changed: \(changes.joined(separator: ", "))\n")
    do throws(CommandError) {
      (choice, record) = try command.choose()
    } catch {
      BlemuTool.report(error)
      Terminal.print("the device runs on as it was\n")
      record = record.renewed
      return
    }
    await player.stop()
    earlierExpectations = expectations
    player = Self.player(command, choice, after: player.recording)
    reader.complete(with: LineCompleter(choice.definition))
    Terminal.print("the device restarts\n")
    try await start()
  }
}

/// What a recording says after `device`.
enum DeviceLine {
  /// The name of a bundled definition, otherwise the path from the recording's folder.
  static func name(
    of path: String, for recording: String, library: DefinitionLibrary = .ofThisProgram()
  ) -> String {
    guard let file = FileSystem.resolved(path),
      let folder = FileSystem.resolved(FilePath(recording).folder + ".")
    else {
      return path
    }
    if parts(of: file).dropLast() == parts(of: folder)[...] { return FilePath(file).name }
    if let name = library.bundledName(of: path) { return name }
    let (from, to) = (parts(of: folder), parts(of: file))
    let common = zip(from, to).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: from.count - common)
    return (up + to.dropFirst(common)).joined(separator: "/")
  }

  private static func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }
}
