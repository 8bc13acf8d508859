import BlemuJSON
import DeviceModel
import EventLoop
import Learning
import TestBeds
import Transcripts

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
      "blemu also compares the answers, in memory: it sends the requests in the transcripts of A to both, or those of B if A has none. "
        + "Of a definition and a recording, it sends the recorded requests to the device. It shows the first 10 differences.",
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
    guard let first = names.first else { throw arguments.lacks("A") }
    guard names.count >= 2 else { throw .oneDeviceToCompare(first) }
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

  func run() throws(CommandError) -> ExitStatus {
    BlemuTool.runLoop { () async throws(CommandError) in
      do { return report(try await answers()) } catch {
        throw .failure("the devices cannot be compared in memory: \(error)")
      }
    }
  }

  private func report(_ answers: AnswerComparison?) -> ExitStatus {
    var comparison = comparison
    comparison.add(answers?.rows ?? [])
    let isSame = comparison.differences.isEmpty && answers?.result.hasDifferences != true
    if isJSON {
      let json: JSONValue = [
        "a": .string(names.0), "b": .string(names.1), "same": .boolean(isSame),
        "differences": .array(comparison.json),
      ]
      Terminal.print(json.adding(["answers": answers.map { .string($0.summary) }]).lines())
    } else {
      Terminal.print(comparison.text(all: showsAll, names: names))
      Terminal.print("answers: \(answers?.summary ?? notCompared)\n")
    }
    return isSame ? .success : .failed
  }
}

// MARK: Answers

extension DiffCommand {
  /// How one device answers the requests of the other; nil: there are no requests, or two recordings.
  @EventLoop
  private func answers() async throws -> AnswerComparison? {
    switch (devices.0.definition, devices.1.definition) {
    case (let left?, let right?):
      return if let answers = try await answers(of: right, to: left, devices.0.sections, names.0) {
        answers
      } else {
        try await answers(of: left, to: right, devices.1.sections, names.1, isSwapped: true)
      }
    case (let definition?, nil):
      return try await answers(of: definition, to: devices.1.recording, isSwapped: true)
    case (nil, let definition?): return try await answers(of: definition, to: devices.0.recording)
    case (nil, nil): return nil
    }
  }

  /// - Returns: nil if a central alone cannot hold any of the sections.
  @EventLoop
  private func answers(
    of other: PeripheralDefinition, to definition: PeripheralDefinition, _ sections: [Transcript.Section],
    _ name: String, isSwapped: Bool = false
  ) async throws -> AnswerComparison? {
    let requests = try await TranscriptRequests(in: sections, of: definition)
    if requests.isEmpty { return nil }
    let result = try await requests.answers(of: other)
    let rest =
      requests.omitted == 0
      ? ""
      : "; \(Phrase.count(requests.omitted, "section")) left out, which a central alone cannot hold"
    return AnswerComparison(
      result: result, table: requests.table, isSwapped: isSwapped,
      summary: "to the requests in the transcripts of \(name), \(result.comparison)\(rest)")
  }

  @EventLoop
  private func answers(
    of definition: PeripheralDefinition, to recording: Learner?, isSwapped: Bool = false
  ) async throws -> AnswerComparison? {
    guard let recording else { return nil }
    let result = try await CheckedLesson.compare(
      recording.conversations, recording.table, with: definition, cut: [:])
    return AnswerComparison(
      result: result, table: recording.table, isSwapped: isSwapped, summary: result.summary)
  }

  /// Why there are no answers.
  private var notCompared: String {
    guard devices.0.definition != nil else { return "not compared, because both are recordings" }
    guard devices.0.sections.isEmpty, devices.1.sections.isEmpty else {
      return "not compared, because a central alone cannot hold any section of the transcripts"
    }
    let path = FilePath(names.0)
    let file = "\(path.folder)\(path.baseName).transcript"
    return
      "not compared: write a transcript of what a central asks, or let 'blemu play \(names.0) --record \(file)' make it"
  }
}
