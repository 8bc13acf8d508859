import Captures
import Definitions
import EventLoop
import Learning
import TestBeds

extension Command {
  static let learn = Command(
    "learn", .writing, arguments: "RECORDING…", words: .files,
    summary: "Makes a definition of a device from recordings of its Bluetooth traffic.",
    options: [
      Option(
        "--device", takes: "ADDRESS|NUMBER",
        "selects the device, by its address or its number in the list; without it, blemu lists the devices if there are several"
      ),
      Option(
        "--name", takes: "NAME", "names the device and its files (default: the name that it advertises)"),
      Option("-o", takes: "FOLDER", "selects the new folder (default: NAME)", words: .files),
      Option(
        "--as", takes: "model|recording",
        "model (default): infers frames, messages and rules where the recording suffices; recording: answers as recorded",
        words: .oneOf(Learner.Style.allCases.map(\.rawValue))),
      Option(
        "--table", takes: "FILE",
        "fills in attributes that the recording does not show, from a listing that 'blemu import' reads; may be repeated",
        isRepeatable: true, words: .files),
      Option(
        "--check", takes: "PERCENT",
        "learns from the recording without its last PERCENT, compares the rest with the device, and writes nothing"
      ),
      Option("--explain", "prints the evidence for what is inferred"),
      .json,
    ],
    notes: [
      "A RECORDING is a btsnoop file, an Android bug report (zip or text), a PacketLogger file (.pklg), pcap or pcapng; each may be "
        + "compressed by gzip. Several recordings of one device complete each other.",
      "blemu makes a folder with NAME.yaml, data files, NAME.transcript with the recorded conversations, and a README.md with "
        + "the evidence. It overwrites nothing.",
    ],
    examples: [
      Example("blemu learn btsnoop_hci.log", "makes a definition, and says how well it answers"),
      Example(
        "blemu learn btsnoop_hci.log --device 1 --name runner", "makes runner/runner.yaml and other files"),
      Example(
        "blemu learn --check 30% --explain treadmill.btsnoop",
        "shows what is inferred and how well it predicts"),
    ]
  ) { arguments throws(CommandError) in
    try LearnCommand(arguments).run()
  }
}

/// `blemu learn RECORDING…`
struct LearnCommand {
  private let paths: [String]
  private let device: String?
  private let name: String?
  private let folder: String?
  private let style: Learner.Style
  /// How much of the recording is kept for the check, 0 to 1; nil: all of it is learnt.
  private let heldBack: Double?
  private let listings: [String]
  private let explains: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    paths = arguments.positional
    if paths.isEmpty { throw arguments.lacks("RECORDING") }
    device = arguments["--device"]
    name = arguments["--name"]
    folder = arguments["-o"]
    listings = arguments.all("--table")
    explains = arguments["--explain"] != nil
    isJSON = arguments["--json"] != nil
    let word = arguments["--as"] ?? Learner.Style.model.rawValue
    guard let style = Learner.Style(rawValue: word) else {
      throw .badValue(option: "--as", value: word, expected: "model or recording")
    }
    self.style = style
    heldBack = try arguments["--check"].map { text throws(CommandError) in try Self.share(text) }
    if let name, !Starter.isName(name) { throw .badName(name) }
  }

  /// `30%`
  private static func share(_ text: String) throws(CommandError) -> Double {
    guard let percent = Int(text.last == "%" ? String(text.dropLast()) : text), 1...99 ~= percent else {
      throw .badValue(option: "--check", value: text, expected: "a share from 1% to 99%, as in 30%")
    }
    return Double(percent) / 100
  }

  func run() throws(CommandError) -> ExitStatus {
    let captures = try paths.map { path throws(CommandError) in try read(path) }
    let files = paths.map { FilePath($0).name }
    let device = try CapturedDeviceChoice(captures).choose(device, in: files.joined(separator: ", "))
    var learner = Learner(device)
    let name = name ?? Self.name(for: device, learner.table, path: paths[0])
    let origins = zip(files, captures).map { "\($0): \($1.summary)" }
    let contradictions = listings.isEmpty ? [] : try complete(&learner)
    let notes = captures.flatMap(\.notes).map(\.sentence) + contradictions
    return BlemuTool.runLoop { [learner] () async throws(CommandError) in
      if let heldBack { return try await check(learner, name, origins, notes, without: heldBack) }
      return try await learn(learner, name, origins, notes)
    }
  }

  private func read(_ path: String) throws(CommandError) -> Capture {
    do { return try Capture(path: path) } catch { throw .badRecording(error) }
  }

  /// Completes the table with listings. Returns what these say differently, sentences.
  private func complete(_ learner: inout Learner) throws(CommandError) -> [String] {
    var contradictions: [String] = []
    for listing in try ImportCommand.read(listings) {
      let completion = TableCompletion(of: learner.device.connections, with: listing)
      if completion.contradictions.isEmpty { learner.table = completion.table }
      contradictions += completion.contradictions
    }
    return contradictions
  }

  /// The name that the device advertises, or that of its Device Name (2A00), or that of the file, as far as it may name a
  /// definition.
  private static func name(for device: CapturedDevice, _ table: ObservedTable, path: String) -> String {
    let own = table.characteristics.first { $0.uuid.uuid == 0x2A00 }?.value.first
    let names = [
      device.advertisedName, own.map { String(decoding: $0, as: UTF8.self) }, FilePath(path).baseName,
    ]
    return names.lazy.compactMap { $0 }.map(DeviceWord.write).first(where: Starter.isName) ?? "learnt"
  }
}

// MARK: Learning

extension LearnCommand {
  /// Learns from everything, and writes the folder.
  @EventLoop
  private func learn(
    _ learner: Learner, _ name: String, _ origins: [String], _ notes: [String]
  ) async throws(CommandError) -> ExitStatus {
    let folder = LearntFolder(name: name, path: folder ?? name)
    let checked = try await Self.checked(learner, style, name, origins, learner.conversations)
    let transcript: RecordedTranscript?
    do { transcript = try await RecordedTranscript(of: checked, learner.conversations, learner.table) } catch
    {
      throw Self.failure(error)
    }
    try BlemuTool.makeFolder(folder.path)
    let report = LearnReport(
      checked.lesson, origins: origins, notes: notes, check: checked.result.summary, transcript: transcript)
    try folder.write(checked.lesson, report)
    print(report, folder)
    return .success
  }

  /// Learns from the beginning, and compares the rest with what the device does.
  @EventLoop
  private func check(
    _ learner: Learner, _ name: String, _ origins: [String], _ notes: [String], without share: Double
  ) async throws(CommandError) -> ExitStatus {
    let (known, start) = learner.conversations.first(without: share)
    let checked = try await Self.checked(learner, style, name, origins, known)
    let result: RehearsalResult
    do {
      result = try await CheckedLesson.compare(
        learner.conversations, learner.table, with: checked.definition,
        cut: checked.lesson.cuts, from: start)
    } catch {
      throw Self.failure(error)
    }
    let report = LearnReport(
      checked.lesson, origins: origins, notes: notes, check: checked.result.summary, rest: result.summary)
    print(report, nil)
    return .success
  }

  @EventLoop
  private static func checked(
    _ learner: Learner, _ style: Learner.Style, _ name: String, _ origins: [String],
    _ conversations: [Conversation]
  ) async throws(CommandError) -> CheckedLesson {
    do {
      return try await CheckedLesson.learn(
        learner, as: style, name: name, origin: origins, from: conversations)
    } catch {
      throw failure(error)
    }
  }

  private static func failure(_ error: any Error) -> CommandError {
    if let error = error as? LessonError { return .failure("what was learnt has mistakes:\n\(error.report)") }
    return .failure("the learnt device cannot be tried: \(error)")
  }

  private func print(_ report: LearnReport, _ folder: LearntFolder?) {
    if isJSON { return Terminal.print(report.json(folder).line + "\n") }
    Terminal.print(report.text(explains: explains, folder))
  }
}
