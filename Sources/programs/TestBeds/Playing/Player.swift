import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import Peripheral
import Transcripts

/// Runs a device in memory for a person, who types the central's lines in the syntax of transcripts.
///
/// Time stands still until a line lets it pass.
@EventLoop
package final class Player {
  let definition: PeripheralDefinition
  let testBed: LoopbackTestBed
  private var parser: LineParser
  /// The device's start, and its start at the next section.
  private(set) var beginnings: (now: Beginning, next: Beginning)
  private var startTime = Instant()
  /// Whether no section has begun.
  private var isHead = true
  private var isConnected = false
  /// Checks expectations, with the effect of the last action and the line from which the next one counts its time.
  private(set) var runner: SectionRunner
  private var lineCount = 0
  /// The output that no line has expected yet.
  var unexpected: [Arrival] = []
  /// Whether anything has happened since the device started; `set` then changes the running device.
  var hasBegun = false
  /// The conversation so far, as a transcript.
  package internal(set) var recording: Recording
  /// What has become of the last line.
  package internal(set) var outcome = Outcome.done
  /// The number of expectations, and of those that were met.
  package internal(set) var expectations = (count: 0, met: 0)

  package enum Outcome: Sendable {
    case done
    /// It is no line of a transcript, and had no effect.
    case notUnderstood
    /// It does not fit the lines before it, or the device, and had no effect.
    case impossible
    /// Its expectation was not met.
    case unmet
  }

  /// How a device starts.
  struct Beginning {
    var settings: [Value]
    var options: EngineOptions
    var paces: Transcript.Paces = []
  }

  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - limits: the limits of the transport to imitate.
  ///   - paces: what takes the time that it takes at a real device.
  ///   - earlier: a recording to continue with this device.
  ///   - device: the text after `device` in the recording; nil: the name of its file.
  package init(
    _ definition: PeripheralDefinition, settings: [Value], seed: UInt64 = 0,
    limits: any TransportLimits = NoLimits(), paces: Transcript.Paces = [], device: String? = nil,
    after earlier: Recording? = nil
  ) {
    self.definition = definition
    let beginning = Beginning(settings: settings, options: EngineOptions(seed: seed), paces: paces)
    beginnings = (beginning, beginning)
    parser = LineParser(definition)
    testBed = LoopbackTestBed(limits: limits)
    runner = SectionRunner(Transcript.Section(title: "", line: 1), of: definition, on: testBed)
    recording = earlier?.continued(with: definition) ?? Recording(definition, device: device)
    recording.start(settings: settings, options: beginning.options)
  }

  /// Starts the device.
  ///
  /// - Returns: the lines to show.
  /// - Throws: ``TransportError`` if the device cannot advertise with these settings.
  package func start() async throws -> [String] {
    let beginning = beginnings.now
    try await testBed.setUp(
      definition, settings: beginning.settings, options: beginning.options, paces: beginning.paces)
    startTime = testBed.now
    var section = Transcript.Section(title: "", line: 1)
    section.paces = beginning.paces
    runner = SectionRunner(section, of: definition, on: testBed)
    runner.set(mark: testBed.now, lineCount)
    unexpected = []
    if let address = testBed.context?.address { parser = LineParser(definition, address: address) }
    (isConnected, hasBegun) = (false, false)
    return [AdvertisementText.write(testBed.advertisement)] + takeOutput()
  }

  package func stop() async { await testBed.tearDown() }

  /// Performs a line.
  ///
  /// - Returns: the lines to show.
  package func take(_ line: String) async -> [String] {
    outcome = .done
    lineCount += 1
    do {
      if line.filter({ $0 != " " }) == "+" { return waitForNext() }
      switch try parser.parse(line, line: lineCount) {
      case .blank: return []
      case .section(let title): return try await begin(title)
      case .device: return ["'device' has no effect here; the device is already running"]
      case .set(let assignments, let step):
        return hasBegun ? try await perform(step) : try await configure(assignments)
      case .seed(let seed): return try await restart { $0.options.seed = seed }
      case .clock(let time): return try await restart { $0.options.unixTime = time }
      case .memoryOnly: return []
      case .paced: return try await restart { $0.paces.insert(.wire) }
      case .linkTime: return try await restart { $0.paces.insert(.link) }
      case .step(let step): return try await perform(step)
      }
    } catch let mistake as Diagnostic {
      outcome = .notUnderstood
      return Self.report(mistake, of: line)
    } catch let error as TransportError {
      return impossible("\(error.message); \(error.hint)")
    } catch let error as TestBedError {
      return impossible(error.message)
    } catch {
      return impossible("\(error)")
    }
  }

  func impossible(_ problem: String) -> [String] {
    outcome = .impossible
    return [problem]
  }

  private static func report(_ mistake: Diagnostic, of line: String) -> [String] {
    let start = mistake.range.start.column - 1
    let length = max(1, mistake.range.end.column - mistake.range.start.column)
    let caret = String(repeating: " ", count: start) + "^" + String(repeating: "~", count: length - 1)
    let hint = mistake.hint ?? (start == 0 ? "type 'help'" : nil)
    return [line, caret + " " + mistake.message + (hint.map { "; \($0)" } ?? "")]
  }
}

// MARK: Actions

extension Player {
  /// Restarts the device with other settings.
  private func configure(_ assignments: [ControlEvent.Assignment]) async throws -> [String] {
    var chosen = beginnings.now.settings
    for assignment in assignments {
      switch assignment.slot {
      case .setting(let index): chosen[index] = assignment.value
      case .variable(let index):
        let mistake = Mistake.earlyVariable(definition.variables[index].name)
        return impossible([mistake.message, mistake.hint].compactMap(\.self).joined(separator: "; "))
      }
    }
    return try await restart { $0.settings = chosen }
  }

  private func restart(_ change: (inout Beginning) -> Void) async throws -> [String] {
    change(&beginnings.now)
    return try await begin("A conversation", as: beginnings.now)
  }

  /// Begins a section. Settings before the first one apply to all.
  private func begin(_ title: String) async throws -> [String] {
    if isHead, !hasBegun { beginnings.next = beginnings.now }
    isHead = false
    return try await begin(title, as: beginnings.next)
  }

  private func begin(_ title: String, as beginning: Beginning) async throws -> [String] {
    await testBed.tearDown()
    beginnings.now = beginning
    recording.begin(
      title, settings: beginning.settings, options: beginning.options, paces: beginning.paces)
    return ["the device has been reset"] + (try await start())
  }

  private func perform(_ step: Step) async throws -> [String] {
    testBed.take(part: step.central)
    switch step.action {
    case .wait(let duration):
      defer { runner.set(mark: testBed.now, step.line) }
      return try await wait(duration)
    case let action where action.isExpectation: return try await expect(step)
    default: break
    }
    guard step.central != nil || isPossible(step.action) else {
      return impossible("no central is connected; type 'connect'")
    }
    hasBegun = true
    runner.set(mark: testBed.now, step.line)
    runner.effect = nil
    let effect = try await testBed.perform(step.action, isRefusalExpected: true)
    recording.take(step.text, at: testBed.now)
    let answer = answer(effect, to: step.action)
    switch (effect, step.action) {
    case _ where step.central != nil: break
    case (.connection(nil), _): isConnected = true
    case (.pairing(.failed), _), (_, .disconnect), (_, .unpair): isConnected = false
    default: break
    }
    if case .response = effect {
      if step.action.isRequest { runner.effect = effect }
      return answer + takeOutput()
    }
    runner.effect = effect
    return takeOutput() + answer
  }

  private func isPossible(_ action: Step.Action) -> Bool {
    switch action {
    case .connect, .unpair, .loseKeys, .serve, .unserve, .putIntoWire, .control, .addFault, .removeFault,
      .removeFaults:
      true
    default: isConnected
    }
  }

  /// Records the answer to an action, and returns the lines that show it.
  private func answer(_ effect: StepEffect, to action: Step.Action) -> [String] {
    let (recorded, text): (String?, String)
    switch effect {
    case .response(.accepted), .connection(nil): return []
    case .response(.refused(let error, _)): (recorded, text) = ("! \(error.name)", "! \(error.name)")
    case .response(.value(let value)):
      guard case .read(let attribute) = action else { preconditionFailure("only a read has a value") }
      let place = definition.name(of: attribute)
      recorded = "= " + TranscriptText(definition).value(value, at: place)
      text = "= " + ValueText.write(value)
    case .connection(let failure?):
      (recorded, text) = ("! \(failure.rawValue)", "! \(failure.rawValue); \(failure.sentence)")
    case .pairing(.failed(let failure)):
      (recorded, text) = ("! \(failure.name)", "! \(failure.name); the central disconnects")
    case .pairing(.paired(let isBonded)):
      (recorded, text) = (nil, isBonded ? "(paired; both sides keep the keys)" : "(paired)")
    }
    if let recorded { recording.takeAnswer(recorded) }
    return [shown(text, at: testBed.now)]
  }
}

// MARK: Time and output

extension Player {
  /// How much time `+` may pass while it waits for the next output.
  private static let patience = Duration.seconds(3600)

  func wait(_ duration: Duration) async throws -> [String] {
    hasBegun = true
    testBed.remarksOnAdvertising = true
    defer { testBed.remarksOnAdvertising = false }
    let end = testBed.now.advanced(by: duration)
    var lines: [String] = []
    repeat {
      try testBed.wait(until: end, past: testBed.inbox.count, includingEnd: true)
      lines += takeOutput()
    } while testBed.now < end && lines.count < Self.mostLines
    if lines.count >= Self.mostLines {
      lines = lines.prefix(Self.mostLines) + ["… stopped after \(Self.mostLines) lines"]
    }
    recording.pass(until: testBed.now)
    return lines
  }

  static let mostLines = 2000

  private func waitForNext() -> [String] {
    hasBegun = true
    testBed.remarksOnAdvertising = true
    defer { testBed.remarksOnAdvertising = false }
    guard testBed.waitForOutput(within: Self.patience) else { return ["no output within the next hour"] }
    runner.set(mark: testBed.now, lineCount)
    let lines = takeOutput()
    recording.pass(until: testBed.now)
    return lines
  }

  /// Removes the device's output and remarks from the inbox, and formats them in order of time.
  func takeOutput() -> [String] {
    let words = TranscriptText(definition, .explained)
    let arrivals = testBed.inbox.takeArrivals()
    for arrival in arrivals {
      if arrival.source == .disconnection { isConnected = false }
      recording.take(arrival)
    }
    unexpected = Array((unexpected + arrivals).suffix(Self.mostUnexpected))
    let values = arrivals.map { (time: $0.time, text: words.line(of: $0)) }
    let remarks = testBed.inbox.takeRemarks().map { (time: $0.time, text: $0.text) }
    let entries = (remarks + values).enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    return entries.map { shown($0.element.text, at: $0.element.time) }
  }

  /// The most output that is kept for later expectations.
  private static let mostUnexpected = 10_000

  func shown(_ text: String, at time: Instant) -> String {
    startTime.duration(to: time).inSeconds.aligned(to: 9) + "  " + text
  }
}
