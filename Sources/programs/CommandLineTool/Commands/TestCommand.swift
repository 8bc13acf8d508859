import BlueZ
import Bluetooth
import Captures
import Definitions
import Devices
import EventLoop
import Exact
import Framing
import Glibc
import Peripheral
import TestBeds
import TrafficView
import Transcripts

extension Command {
  static let test = Command(
    "test", .testing, arguments: "[PATH…]", words: .transcripts,
    summary: "Runs transcripts, and reports where a device differs from them.",
    options: [
      Option(
        "--on", takes: "PLACE",
        "selects the transport: loopback, in memory on virtual time (default), or bluez[:ADAPTER], exact[:ADAPTER] or exact:CONTROLLER, on the air",
        words: .transports(hasAdapter: true)),
      Option(
        "--central", takes: "PLACE",
        "selects the central on the air: bluez:ADAPTER, exact:ADAPTER or exact:CONTROLLER; by default another controller at the same TCP port",
        words: .centralAdapters),
      .take, .linkTime, .set,
      Option(
        "--filter", takes: "TITLE",
        "runs only sections whose title contains TITLE, in upper or lower case; may be repeated",
        isRepeatable: true),
      .watch,
      Option(
        "--report", takes: "FILE", "writes the results as JUnit XML, for build servers",
        words: .files),
      Option(
        "--capture", takes: "FILE",
        "records the conversations in memory or on exact in a new FILE, as 'blemu run' does",
        words: .files),
    ],
    notes: [
      "A PATH is a transcript, a definition, a folder of them, or the name of a bundled definition. "
        + "TRANSCRIPT:LINE selects the section at that line. Without a PATH, blemu tests the current folder."
    ],
    examples: [
      Example("blemu test lamp.yaml", "runs the transcripts next to the definition, in memory"),
      Example("blemu test --filter iBeacon hm-10", "runs the sections with 'iBeacon' in their title"),
      Example(
        "blemu test --report results.xml hm-10 bracelet",
        "runs the transcripts of two bundled devices, and writes a report"),
      Example(
        "blemu test --on bluez:hci0 --central bluez:hci1 hm-10", "runs them on the air between two adapters"),
      Example(
        "blemu test --on exact:tcp:localhost:6402 hm-10", "runs them between two controllers of tools/radio"),
    ],
    needsPrivileges: { arguments in
      let places = [arguments["--on"], arguments["--central"]].compactMap { $0 }
      return places.contains { (try? TransportSpecification($0))?.isOnAdapter != false }
    }
  ) { arguments throws(CommandError) in
    try Watching.run(arguments) { record throws(CommandError) in
      try TestCommand(arguments, record: record).run()
    }
  }
}

/// `blemu test [PATH…]`
struct TestCommand {
  /// A transcript without mistakes and its device.
  fileprivate struct PlannedTest {
    var transcript: Transcript
    var choice: DefinitionChoice
  }

  private let tests: [PlannedTest]
  /// Files with mistakes, and the worst of these.
  private let broken: (names: [String], worst: CommandError?)
  private let transport: TransportSpecification
  /// nil if the transport has no radio.
  private let central: TransportSpecification?
  private let endsOtherUse: Bool
  private let report: String?
  private let capture: (path: String, format: WrittenFormat)?

  /// - Parameter record: collects the files that are read.
  init(_ arguments: Arguments, record: FileRecord? = nil) throws(CommandError) {
    transport = try TransportSpecification(arguments["--on"], default: .loopback)
    central = try Self.central(arguments["--central"], for: transport)
    endsOtherUse = arguments["--take"] != nil
    report = arguments["--report"]
    capture = try CaptureOption.parse(arguments["--capture"])
    if capture != nil, case .bluez = transport {
      throw .conflictingOptions("--capture", "--on \(arguments["--on"] ?? "")")
    }
    var library = DefinitionLibrary.ofThisProgram()
    library.files = record
    let (files, errors) = TranscriptFinder(library: library).find(arguments.positional)
    for file in files { record?.add(file.path) }
    for error in errors { BlemuTool.report(error) }
    let read = Self.read(files) { [transport, library] definition throws(CommandError) in
      try DefinitionChoice(
        definition, assignments: arguments.all("--set"), on: transport, library: library,
        printsWarnings: false)
    }
    broken = (read.broken, errors.first ?? read.worst)
    let filters = arguments.all("--filter")
    var tests = read.tests.compactMap { $0.filtered(by: filters) }
    if arguments["--link-time"] != nil {
      if transport != .loopback { throw .missingOption("--on", placeholder: "loopback", with: "--link-time") }
      for test in tests.indices { tests[test].transcript.takeLinkTime() }
    }
    self.tests = tests
    if tests.isEmpty, !read.tests.isEmpty, broken.worst == nil {
      throw CommandError(
        .noDefinition,
        "no section's title contains \(filters.map { "'\($0)'" }.joined(separator: " or "))",
        "the titles are the lines that begin with '=='")
    }
    if tests.isEmpty, let worst = broken.worst { throw .reported(worst.status) }
  }

  private static func central(
    _ text: String?, for transport: TransportSpecification
  ) throws(CommandError) -> TransportSpecification? {
    let central = try text.map { text throws(CommandError) in try TransportSpecification.central(text) }
    switch (transport, central) {
    case (.loopback, nil): return nil
    case (.loopback, _?): throw .conflictingOptions("--on loopback", "--central")
    case (.controller(.tcp), nil): return transport
    case (.bluez, nil): throw .missingOption("--central", placeholder: "bluez:ADAPTER", with: "--on bluez")
    case (_, nil): throw .missingOption("--central", placeholder: "exact:ADAPTER", with: "--on exact")
    case (.bluez, .exact), (.bluez, .controller):
      throw .badValue(
        option: "--central", value: text ?? "",
        expected: "bluez:ADAPTER, because a device on bluez needs a central on Linux")
    case (_, let central?): return central
    }
  }

  func run() throws(CommandError) -> ExitStatus {
    signal(SIGPIPE, SIG_IGN)
    return BlemuTool.runLoop { () async throws(CommandError) in try await runTests() }
  }

  @EventLoop
  private func runTests() async throws(CommandError) -> ExitStatus {
    let testBed = transport.makeTestBed(central: central, endsOtherUse: endsOtherUse)
    let recording = try record(testBed)
    defer { recording?.close() }
    guard transport != .loopback else { return try await runTests(on: testBed, until: { false }) }
    let stop = StopRequest()
    stop.onRequest = { testBed.interrupt() }
    return try await runTests(on: testBed, until: { stop.isMade })
  }

  /// Records all conversations, one after the other on the time of this machine; nil: they are not to be recorded.
  @EventLoop
  private func record(_ testBed: any TestBed) throws(CommandError) -> RecordingFile? {
    guard let (path, format) = capture else { return nil }
    let file: RecordingFile
    do throws(DeviceFailure) { file = try .named(path, format) } catch { throw .run(error) }
    let start = WallClock().now.microseconds - testBed.device.total.microseconds
    let recording = AirRecording(in: file, layout: ExactLimits()) {
      Instant(microseconds: start + testBed.device.total.microseconds)
    }
    file.onFailure = { BlemuTool.report(.run(.capture(.unwritable($0)))) }
    (testBed.device.recorder, testBed.device.furtherSink) = (recording, recording)
    return file
  }

  @EventLoop
  private func runTests(
    on testBed: any TestBed, until isInterrupted: () -> Bool
  ) async throws(CommandError) -> ExitStatus {
    var results: [TranscriptResult] = []
    var trouble: CommandError?
    for test in tests where trouble == nil && !isInterrupted() {
      var result = TranscriptResult(name: test.transcript.source.name, sections: [])
      do throws(CommandError) {
        try await run(test, on: testBed, until: isInterrupted, into: &result)
      } catch {
        trouble = error
      }
      results.append(result)
      if trouble == nil { Terminal.print(Self.text(of: result)) }
    }
    results += broken.names.map { TranscriptResult(name: $0, sections: [], isBroken: true) }
    if let report { try BlemuTool.write(JUnitReport(results).text, to: report) }
    if let trouble { throw trouble }
    Terminal.print(results.summary + "\n")
    if isInterrupted() { return .interrupted }
    if let worst = broken.worst { return worst.status }
    return results.failureCount == 0 ? .success : .failed
  }

  /// - Throws: a problem of the machine rather than of the device.
  @EventLoop
  private func run(
    _ test: PlannedTest, on testBed: any TestBed, until isInterrupted: () -> Bool,
    into result: inout TranscriptResult
  ) async throws(CommandError) {
    if let memory = testBed as? LoopbackTestBed {
      memory.limits = TransportSpecification.limitsInMemory(of: test.choice.definition)
    }
    for section in sections(of: test.transcript) where !isInterrupted() {
      let runner = SectionRunner(section, of: test.choice.definition, on: testBed)
      do {
        result.sections.append(try await runner.run(settings: test.choice.settings))
      } catch {
        Terminal.print("STOPPED  \(result.name): \(section.title)\n")
        throw (error as? TransportError).map { .run(.transport($0)) } ?? .failure("\(error)")
      }
    }
  }

  private func sections(of transcript: Transcript) -> [Transcript.Section] {
    transcript.sections.filter { section in
      switch (transport, central) {
      case (.loopback, _): true
      case (.bluez, _) where section.servesDevice: false
      case (_, .exact), (_, .controller): !section.isMemoryOnly && !section.losesLink
      case (.bluez, _):
        !section.isMemoryOnly && !section.endsForReason && !section.losesKeys && !section.speaksPDUs
          && !section.expectsSets
      default: !section.isMemoryOnly && !section.endsForReason && !section.losesKeys
      }
    }
  }

  private static func text(of result: TranscriptResult) -> String {
    let (count, failures) = (result.sections.count, result.failureCount)
    let style = Terminal.style(of: STDOUT_FILENO)
    var text = failures == 0 ? style.mark("ok", as: .success) : style.mark("FAILED", as: .error)
    text += failures == 0 ? "      " : "  "
    text += "\(count - failures) of \(count)  \(result.name)\n"
    for section in result.sections {
      guard let failure = section.failure else { continue }
      text += "\n" + FailureText.write(failure, of: section.title, in: result.name, style) + "\n"
    }
    return text
  }
}

// MARK: Reading

extension TestCommand {
  /// Reads all files and reports every mistake in them before any test runs.
  private static func read(
    _ files: [TranscriptFile], choose: (String) throws(CommandError) -> DefinitionChoice
  ) -> (tests: [PlannedTest], broken: [String], worst: CommandError?) {
    var choices: [String: Result<DefinitionChoice, CommandError>] = [:]
    var tests: [PlannedTest] = []
    var broken: [String] = []
    var errors: [CommandError] = []
    for file in files {
      do throws(CommandError) {
        let choice =
          choices[file.definition] ?? Result { () throws(CommandError) in try choose(file.definition) }
        choices[file.definition] = choice
        tests.append(try read(file, choice.get()))
      } catch {
        broken.append(file.path)
        if !errors.contains(error) { BlemuTool.report(error) }
        errors.append(error)
      }
    }
    return (tests, broken, errors.first)
  }

  private static func read(
    _ file: TranscriptFile, _ choice: DefinitionChoice
  ) throws(CommandError) -> PlannedTest {
    switch TranscriptParser.parse(try file.source(), for: choice.definition) {
    case .success(var transcript):
      if let lines = file.lines { transcript.sections = try sections(at: lines, of: transcript) }
      return PlannedTest(transcript: transcript, choice: choice)
    case .failure(let mistakes):
      Terminal.printError(mistakes.report(Terminal.style(of: STDERR_FILENO)))
      throw .badDefinition
    }
  }

  /// The sections that have these lines, from their title to the next.
  private static func sections(
    at lines: Set<Int>, of transcript: Transcript
  ) throws(CommandError) -> [Transcript.Section] {
    var wanted: Set<Int> = []
    for line in lines {
      guard let index = transcript.sections.lastIndex(where: { $0.line <= line }),
        line <= transcript.source.lineCount
      else {
        throw CommandError(
          .noDefinition, "'\(transcript.source.name)' has no section at line \(line)",
          "a section begins with a line '== TITLE'")
      }
      wanted.insert(index)
    }
    return wanted.sorted().map { transcript.sections[$0] }
  }
}

extension TestCommand.PlannedTest {
  /// With the sections whose titles contain one of the texts, in either case; nil if there is none.
  fileprivate func filtered(by texts: [String]) -> Self? {
    guard !texts.isEmpty else { return self }
    var test = self
    test.transcript.sections.removeAll { section in
      !texts.contains { section.title.lowercased().hasPart($0.lowercased()) }
    }
    return test.transcript.sections.isEmpty ? nil : test
  }
}
