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
      LearningStyle.option,
      Option(
        "--table", takes: "FILE",
        "fills in attributes that the recording does not show, from a listing that 'blemu import' reads; may be repeated",
        isRepeatable: true, words: .files),
      Option(
        "--check", takes: "PERCENT",
        "learns from the recording without its last PERCENT, compares the rest with the device, and writes nothing"
      ),
      LearningStyle.anonymity, LearningStyle.explanation, .json,
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
  private let style: LearningStyle
  /// How much of the recording is kept for the check, 0 to 1; nil: all of it is learnt.
  private let heldBack: Double?
  private let listings: [String]

  init(_ arguments: Arguments) throws(CommandError) {
    paths = arguments.positional
    if paths.isEmpty { throw arguments.lacks("RECORDING") }
    device = arguments["--device"]
    name = arguments["--name"]
    folder = arguments["-o"]
    listings = arguments.all("--table")
    style = try LearningStyle(arguments)
    heldBack = try arguments["--check"].map { text throws(CommandError) in try Self.share(text) }
    if let name, !Starter.isName(name) { throw .badName(name) }
  }

  /// Learns a recording that blemu has made.
  init(_ recording: String, name: String) throws(CommandError) {
    let words = [recording, "--name", name][...]
    try self.init(Arguments(words, for: .learn))
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
    let ownName = style.isAnonymous ? nil : learner.ownName ?? FilePath(paths[0]).definitionName
    let name = name ?? ownName ?? "learnt"
    let origins = zip(files, captures).map {
      style.isAnonymous ? "Learnt from a recording: \($1.summary)" : "\($0): \($1.summary)"
    }
    let contradictions = listings.isEmpty ? [] : try complete(&learner)
    if style.isAnonymous { learner.anonymize() }
    let notes = captures.flatMap(\.notes).map(\.sentence) + contradictions + style.notes
    let work = LearningWork(
      learner: learner, name: name, folder: folder ?? name, origins: origins, notes: notes, style: style)
    return BlemuTool.runLoop { () async throws(CommandError) in
      if let heldBack { return try await check(work, without: heldBack) }
      return try await work.learn()
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
}

// MARK: Learning

extension LearnCommand {
  /// Learns from the beginning, and compares the rest with what the device does.
  @EventLoop
  private func check(
    _ work: LearningWork, without share: Double
  ) async throws(CommandError) -> ExitStatus {
    let learner = work.learner
    let (known, start) = learner.conversations.first(without: share)
    let checked = try await work.checked(known)
    let result: RehearsalResult
    do {
      result = try await CheckedLesson.compare(
        learner.conversations, learner.table, with: checked.definition,
        cut: checked.lesson.cuts, checked.lesson.fragmentations, from: start)
    } catch {
      throw LearningWork.failure(error)
    }
    let report = LearnReport(
      checked.lesson, origins: work.origins, notes: work.notes,
      lineCount: try LearntFolder.text(of: checked.lesson.definition).lineCount, check: checked.result,
      rest: result)
    work.style.print(report, nil)
    return .success
  }
}
