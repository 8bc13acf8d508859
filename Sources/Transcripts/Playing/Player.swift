import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// Runs a device in memory for a person who types the central's lines, in the syntax of transcripts.
///
/// Time stands still until a line lets it pass.
@EventLoop
package final class Player {
  private let definition: PeripheralDefinition
  private let testBed: LoopbackTestBed
  private var parser: LineParser
  private var settings: [Value]
  private var seed: UInt64
  private var beginning = Instant()
  private var isConnected = false
  /// Whether anything has happened since the device has started: from then on, `set` changes the running device.
  private var hasBegun = false
  /// The conversation so far, as a transcript.
  package private(set) var recording: Recording
  /// Whether the last line was wrong, and had no effect.
  package private(set) var wasWrong = false

  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - limits: the limits of the transport to imitate.
  ///   - earlier: a recording that goes on with this device.
  ///   - device: what the recording says after `device`; nil: the name of its file tells.
  package init(
    _ definition: PeripheralDefinition, settings: [Value], seed: UInt64 = 0,
    limits: any TransportLimits = NoLimits(), device: String? = nil,
    after earlier: Recording? = nil
  ) {
    self.definition = definition
    self.settings = settings
    self.seed = seed
    parser = LineParser(definition)
    testBed = LoopbackTestBed { _ in limits }
    recording = earlier?.continued(with: definition) ?? Recording(definition, device: device)
    recording.start(settings: settings, seed: seed)
  }

  /// Starts the device.
  ///
  /// - Returns: the lines to show.
  /// - Throws: ``TransportError`` if the device cannot advertise with these settings.
  package func start() async throws -> [String] {
    try await testBed.setUp(definition, settings: settings, seed: seed, isPaced: false)
    beginning = testBed.now
    if let address = testBed.context?.address { parser = LineParser(definition, address: address) }
    (isConnected, hasBegun) = (false, false)
    return [AdvertisementText.write(testBed.advertisement)] + takeOutput()
  }

  package func stop() async { await testBed.tearDown() }

  /// Performs a line.
  ///
  /// - Returns: the lines to show.
  package func take(_ line: String) async -> [String] {
    wasWrong = false
    do {
      if line.filter({ $0 != " " }) == "+" { return waitForNext() }
      switch try parser.parse(line) {
      case .blank: return []
      case .section(let title): return try await begin(title)
      case .device: return wrong("'device' has no effect here; the device is already running")
      case .set(let assignments, let step):
        return hasBegun ? try await perform(step) : try await configure(assignments)
      case .seed(let seed): return try await restart { $0.seed = seed }
      case .memoryOnly: return []
      case .paced: return ["'paced' has no effect here; the wire side is not slowed down"]
      case .step(let step): return try await perform(step)
      }
    } catch let mistake as Diagnostic {
      wasWrong = true
      return Self.report(mistake, of: line)
    } catch let error as TransportError {
      return wrong("\(error.message); \(error.hint)")
    } catch let error as TestBedError {
      return wrong(error.message)
    } catch {
      return wrong("\(error)")
    }
  }

  private func wrong(_ problem: String) -> [String] {
    wasWrong = true
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
  /// Starts the device anew with other settings.
  private func configure(_ assignments: [ControlEvent.Assignment]) async throws -> [String] {
    var chosen = settings
    for assignment in assignments {
      switch assignment.slot {
      case .setting(let index): chosen[index] = assignment.value
      case .variable(let index):
        let (message, hint) = OrderMistake.earlyVariable(definition.variables[index].name).sentences
        return wrong([message, hint].compactMap(\.self).joined(separator: "; "))
      }
    }
    return try await restart { $0.settings = chosen }
  }

  private func restart(_ change: (Player) -> Void) async throws -> [String] {
    change(self)
    await testBed.tearDown()
    recording.begin("A conversation", settings: settings, seed: seed)
    return ["the device has been reset"] + (try await start())
  }

  private func begin(_ title: String) async throws -> [String] {
    await testBed.tearDown()
    recording.begin(title, settings: settings, seed: seed)
    return ["the device has been reset"] + (try await start())
  }

  private func perform(_ step: Step) async throws -> [String] {
    switch step.action {
    case .wait(let duration): return try await wait(duration)
    case .silence(let duration): return try await wait(duration)
    case .expectTrue(let condition): return state(of: condition, step)
    case .expect, .expectRefusal, .expectNoConnection, .expectPairingFailure, .expectRead, .expectFound,
      .expectAdvertising, .expectNoAdvertising:
      if case .expectAdvertising(let pattern) = step.action {
        return [AdvertisementText.write(testBed.advertisement.flatMap(pattern.set(of:)))]
      }
      return wrong("expectations belong in a transcript; this prompt shows what the device sends")
    default: break
    }
    guard isPossible(step.action) else {
      return wrong("no central is connected; type 'connect'")
    }
    hasBegun = true
    if case .connect = step.action, let failure = testBed.connectionFailure { return refuse(failure, step) }
    if case .pair(let request) = step.action { return try pair(request, step) }
    let response = try await testBed.perform(step.action)
    recording.take(step.text, at: testBed.now)
    switch step.action {
    case .connect: isConnected = true
    case .disconnect: isConnected = false
    default: break
    }
    return answer(response) + takeOutput()
  }

  private func refuse(_ failure: ConnectionFailure, _ step: Step) -> [String] {
    recording.take(step.text, at: testBed.now)
    recording.takeAnswer("! \(failure.rawValue)")
    return [shown("! \(failure.rawValue); \(failure.sentence)", at: testBed.now)]
  }

  /// Whether a condition is true, with the values in it. If it is, the recording expects it.
  private func state(of condition: DeviceCondition, _ step: Step) -> [String] {
    let isTrue = condition.problem(in: testBed.context) == nil
    if isTrue { recording.takeAnswer(step.text) }
    let values = condition.values(in: testBed.context)
    return [shown("* \(isTrue ? "true" : "false")" + (values.isEmpty ? "" : ": \(values)"), at: testBed.now)]
  }

  private func pair(_ request: PairingRequest, _ step: Step) throws -> [String] {
    let outcome = try testBed.pair(request)
    recording.take(step.text, at: testBed.now)
    switch outcome {
    case .paired(let isBonded):
      let text = isBonded ? "(paired; both sides keep the keys)" : "(paired)"
      return takeOutput() + [shown(text, at: testBed.now)]
    case .failed(let failure):
      recording.takeAnswer("! \(failure.name)")
      isConnected = false
      return takeOutput() + [shown("! \(failure.name); the central disconnects", at: testBed.now)]
    }
  }

  private func isPossible(_ action: Step.Action) -> Bool {
    switch action {
    case .connect, .putIntoWire, .control, .addFault, .removeFault, .removeFaults: true
    default: isConnected
    }
  }

  private func answer(_ response: Response) -> [String] {
    switch response {
    case .accepted: return []
    case .refused(let error):
      recording.takeAnswer("! \(error.name)")
      return [shown("! \(error.name)", at: testBed.now)]
    case .value(let value):
      recording.takeAnswer("= " + ValueText.exact(value))
      return [shown("= " + ValueText.write(value), at: testBed.now)]
    }
  }
}

// MARK: Time and output

extension Player {
  /// How much time `+` may pass while it waits for the next output.
  private static let patience = Duration.seconds(3600)

  private func wait(_ duration: Duration) async throws -> [String] {
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

  private static let mostLines = 2000

  private func waitForNext() -> [String] {
    hasBegun = true
    testBed.remarksOnAdvertising = true
    defer { testBed.remarksOnAdvertising = false }
    guard testBed.waitForOutput(within: Self.patience) else { return ["no output within the next hour"] }
    let lines = takeOutput()
    recording.pass(until: testBed.now)
    return lines
  }

  /// Removes the device's output and remarks from the inbox, and formats them in order of time.
  private func takeOutput() -> [String] {
    let record = ConversationRecord(definition, isShort: false)
    let arrivals = testBed.inbox.takeArrivals()
    for arrival in arrivals {
      if arrival.source == .disconnection { isConnected = false }
      recording.take(arrival)
    }
    let values = arrivals.map { (time: $0.time, text: record.text(of: $0)) }
    let remarks = testBed.inbox.takeRemarks().map { (time: $0.time, text: $0.text) }
    let entries = (remarks + values).enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    return entries.map { shown($0.element.text, at: $0.element.time) }
  }

  private func shown(_ text: String, at time: Instant) -> String {
    beginning.duration(to: time).inSeconds.aligned(to: 9) + "  " + text
  }
}
