import BlemuControl
import Definitions
import Devices
import Glibc
import Transcripts

extension Command {
  static let check = Command(
    "check", .writing, arguments: "FILE…", words: .definitions,
    summary: "Reports every mistake in definitions, transcripts and stands.",
    options: [
      Option(
        "--on", takes: "bluez|exact|loopback",
        "selects the transport to check for (default: bluez); loopback serves every device",
        words: .transports(hasAdapter: false)),
      Option(
        "--format", takes: "text|json",
        "selects the format of the report; json (also: --json) writes one object per line to standard output",
        words: .oneOf(["text", "json"])),
      .watch,
    ],
    notes: [
      "A FILE is a definition, the name of a bundled definition, a folder of definitions, a stand, or a transcript next to its definition. "
        + "- is a definition on standard input."
    ],
    examples: [
      Example("blemu check lamp.yaml", "reports the mistakes in a definition"),
      Example("blemu check .", "reports the mistakes in all definitions in this folder"),
      Example(
        "blemu check --on loopback --format json lamp.yaml",
        "reports them as JSON, and ignores the limits of BlueZ"),
    ]
  ) { arguments throws(CommandError) in
    try Watching.run(arguments) { record throws(CommandError) in try CheckCommand(arguments).run(record) }
  }
}

/// `blemu check FILE…`
struct CheckCommand {
  /// The format of the report.
  enum Format: String {
    case text, json
  }

  private let names: [String]
  private let transport: TransportSpecification
  private let format: Format

  init(_ arguments: Arguments) throws(CommandError) {
    names = arguments.positional
    transport = try TransportSpecification(arguments["--on"])
    let word = arguments["--format"] ?? Format.text.rawValue
    guard let format = Format(rawValue: word) else {
      throw .badValue(option: "--format", value: word, expected: "text or json")
    }
    self.format = format
    if names.isEmpty { throw arguments.lacks("FILE") }
  }

  /// Checks every file, even after one with mistakes.
  ///
  /// - Parameter record: collects the files that are read.
  func run(_ record: FileRecord? = nil) throws(CommandError) -> ExitStatus {
    var library = DefinitionLibrary.ofThisProgram()
    library.files = record
    var worst: CommandError?
    let report = { (error: CommandError) in
      BlemuTool.report(error)
      worst = worst ?? error
    }
    for name in names {
      do {
        for path in try paths(name, library) { do { try check(path, library) } catch { report(error) } }
      } catch {
        report(error)
      }
    }
    return worst?.status ?? .success
  }

  private static let standardInput = "-"

  private func paths(_ name: String, _ library: DefinitionLibrary) throws(CommandError) -> [String] {
    name == Self.standardInput ? [name] : try library.findAll(name)
  }

  private func check(_ path: String, _ library: DefinitionLibrary) throws(CommandError) {
    let isStandardInput = path == Self.standardInput
    if !isStandardInput, DefinitionLibrary.isStand(path) { return try checkStand(path, library) }
    if path.hasSuffix(TranscriptFinder.ending) { return try checkTranscript(path, library) }
    let loaded =
      isStandardInput
      ? try library.loadStandardInput(for: transport.limits)
      : try library.load(path: path, for: transport.limits)
    let path = isStandardInput ? "standard input" : path
    switch format {
    case .text: show(loaded.report(Terminal.style(of: STDERR_FILENO)), loaded.errorCount, path)
    case .json: Terminal.print(loaded.json)
    }
    if loaded.errorCount > 0 { throw .badDefinition }
    try checkFace(of: loaded, library)
  }

  private func checkFace(of loaded: LoadedDefinition, _ library: DefinitionLibrary) throws(CommandError) {
    guard let path = loaded.face, let definition = loaded.definition else { return }
    library.files?.add(path)
    let face: FaceFile
    do { face = try FaceFile(path: path, atMost: FaceLimit.size, of: definition) } catch {
      throw .unreadable(error)
    }
    guard !face.diagnostics.isEmpty else { return }
    switch format {
    case .text: show(face.report(Terminal.style(of: STDERR_FILENO)), face.diagnostics.errorCount, path)
    case .json: Terminal.print(face.json)
    }
    if face.diagnostics.errorCount > 0 { throw .badDefinition }
  }

  /// Checks a stand, and its definitions for the transports that it names.
  private func checkStand(_ path: String, _ library: DefinitionLibrary) throws(CommandError) {
    let reader = try StandReader(path: path, library: library)
    _ = reader.devices()
    let file = reader.file
    switch format {
    case .text: show(file.report(Terminal.style(of: STDERR_FILENO)), file.diagnostics.errorCount, path)
    case .json: Terminal.print(file.json)
    }
    if file.hasErrors { throw .badDefinition }
  }

  /// Checks a transcript for the definition that `blemu test` runs it with.
  private func checkTranscript(_ path: String, _ library: DefinitionLibrary) throws(CommandError) {
    let file = try TranscriptFinder(library: library).file(path)
    library.files?.add(path)
    let choice = try DefinitionChoice(
      file.definition, assignments: [], on: transport, library: library, printsWarnings: false)
    let mistakes = TranscriptParser.mistakes(in: try file.source(), for: choice.definition)
    switch format {
    case .text:
      show(mistakes.report(Terminal.style(of: STDERR_FILENO)), mistakes.diagnostics.errorCount, path)
    case .json: Terminal.print(mistakes.json)
    }
    if mistakes.diagnostics.errorCount > 0 { throw .badDefinition }
  }

  private func show(_ report: String, _ errors: Int, _ path: String) {
    if !report.isEmpty { Terminal.printError(report) }
    if errors == 0 {
      Terminal.print("\(path): no errors\n")
    } else {
      Terminal.printError("\(path): \(errors) \(errors == 1 ? "error" : "errors")\n")
    }
  }
}

extension LoadedDefinition {
  fileprivate var errorCount: Int { diagnostics.errorCount }
}

extension [Diagnostic] {
  fileprivate var errorCount: Int { count { $0.severity == .error } }
}
