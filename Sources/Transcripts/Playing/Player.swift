import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import Peripheral

/// A conversation in memory with somebody who types the lines of the central.
///
/// The lines are those of a transcript. Time stands still until a line lets it pass.
@EventLoop
package final class Player {
  private let definition: PeripheralDefinition
  private let testBed: LoopbackTestBed
  private let parser: LineParser
  private var settings: [Value]
  private var seed: UInt64
  private var beginning = Instant()
  private var isConnected = false
  /// The conversation so far, as a transcript.
  package private(set) var recording: Recording

  /// - Parameters:
  ///   - settings: one value for each of the definition's settings.
  ///   - limits: those of the transport that the conversation is about.
  package init(
    _ definition: PeripheralDefinition, settings: [Value], seed: UInt64 = 0,
    limits: any TransportLimits = NoLimits()
  ) {
    self.definition = definition
    self.settings = settings
    self.seed = seed
    parser = LineParser(definition)
    testBed = LoopbackTestBed { _ in limits }
    recording = Recording(definition)
  }

  /// Puts the device on the air, in memory; tells what comes of it.
  ///
  /// - Throws: ``TransportError`` when it cannot be put there with these settings.
  package func start() async throws -> [String] {
    try await testBed.setUp(definition, settings: settings, seed: seed, isPaced: false)
    beginning = testBed.now
    isConnected = false
    return [AdvertisementText.write(testBed.advertisement)] + takeNews()
  }

  package func stop() async { await testBed.tearDown() }

  /// Does what a line says, and tells what comes of it.
  package func take(_ line: String) async -> [String] {
    do {
      if line.filter({ $0 != " " }) == "+" { return waitForNext() }
      switch try parser.parse(line) {
      case .blank: return []
      case .section(let title): return try await begin(title)
      case .device: return ["the device was chosen when this began"]
      case .settings(let chosen): return try await restart { $0.choose(chosen) }
      case .seed(let seed): return try await restart { $0.seed = seed }
      case .memoryOnly: return []
      case .paced: return ["here the serial side is as fast as it goes"]
      case .step(let step): return try await perform(step)
      }
    } catch let mistake as Diagnostic {
      return Self.report(mistake, of: line)
    } catch let error as TransportError {
      return ["\(error.message); \(error.hint)"]
    } catch let error as TestBedError {
      return [error.message]
    } catch {
      return ["\(error)"]
    }
  }

  private static func report(_ mistake: Diagnostic, of line: String) -> [String] {
    let start = mistake.range.start.column - 1
    let length = max(1, mistake.range.end.column - mistake.range.start.column)
    let caret = String(repeating: " ", count: start) + "^" + String(repeating: "~", count: length - 1)
    let hint = mistake.hint ?? (start == 0 ? "type 'help'" : nil)
    return [line, caret + " " + mistake.message + (hint.map { "; \($0)" } ?? "")]
  }
}

// MARK: What is done

extension Player {
  private func choose(_ chosen: [Int: Value]) {
    for (index, value) in chosen { settings[index] = value }
  }

  private func restart(_ change: (Player) -> Void) async throws -> [String] {
    change(self)
    await testBed.tearDown()
    recording.begin("A conversation", settings: settings, seed: seed)
    return ["the device is as new"] + (try await start())
  }

  private func begin(_ title: String) async throws -> [String] {
    await testBed.tearDown()
    recording.begin(title, settings: settings, seed: seed)
    return ["the device is as new"] + (try await start())
  }

  private func perform(_ step: Step) async throws -> [String] {
    switch step.action {
    case .wait(let duration): return try await wait(duration)
    case .silence(let duration): return try await wait(duration)
    case .expect, .expectRefusal, .expectRead, .expectFound, .expectAdvertising, .expectNoAdvertising:
      if case .expectAdvertising = step.action { return [AdvertisementText.write(testBed.advertisement)] }
      return ["this says what must come, for a transcript; here you see what comes"]
    default: break
    }
    guard isPossible(step.action) else {
      return ["nobody is connected; type 'connect'"]
    }
    recording.take(step.text, at: testBed.now)
    let answer = try await request(step.action)
    return answer + takeNews()
  }

  private func isPossible(_ action: Step.Action) -> Bool {
    switch action {
    case .connect, .putIntoWire: true
    default: isConnected
    }
  }

  private func request(_ action: Step.Action) async throws -> [String] {
    switch action {
    case .connect(let mtu):
      testBed.connect(mtu: mtu)
      isConnected = true
    case .disconnect:
      try testBed.disconnect()
      isConnected = false
    case .putIntoWire(let bytes): testBed.putIntoWire(bytes)
    case .subscribe(let characteristic): return answer(try await testBed.subscribe(to: characteristic))
    case .unsubscribe(let characteristic): return answer(try testBed.unsubscribe(from: characteristic))
    case .write(let value, let attribute, let kind):
      return answer(try await testBed.write(value, to: attribute, kind))
    case .read(let attribute): return answer(try await testBed.read(attribute))
    default: preconditionFailure("the others do nothing to the device")
    }
    return []
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

// MARK: Time, and what comes

extension Player {
  /// The longest wait for something to happen.
  private static let patience = Duration.seconds(3600)

  private func wait(_ duration: Duration) async throws -> [String] {
    let end = testBed.now.advanced(by: duration)
    var lines: [String] = []
    repeat {
      try testBed.wait(until: end, past: testBed.inbox.count, includingEnd: true)
      lines += takeNews()
    } while testBed.now < end && lines.count < Self.mostLines
    if lines.count >= Self.mostLines { lines.append("… time stands still again: that is a lot") }
    recording.pass(until: testBed.now)
    return lines
  }

  private static let mostLines = 2000

  private func waitForNext() -> [String] {
    guard testBed.waitForNews(within: Self.patience) else { return ["nothing happens within an hour"] }
    let news = takeNews()
    recording.pass(until: testBed.now)
    return news
  }

  /// What has come, in the order of time.
  private func takeNews() -> [String] {
    let record = ConversationRecord(definition)
    let arrivals = testBed.inbox.takeArrivals()
    for arrival in arrivals {
      if arrival.source == .disconnection { isConnected = false }
      recording.take(arrival)
    }
    let values = arrivals.map { (time: $0.time, text: record.text(of: $0)) }
    let remarks = testBed.inbox.takeRemarks().map { (time: $0.time, text: $0.text) }
    let news = (remarks + values).enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    return news.map { shown($0.element.text, at: $0.element.time) }
  }

  private func shown(_ text: String, at time: Instant) -> String {
    let milliseconds = beginning.duration(to: time).wholeMilliseconds
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    let seconds = String(milliseconds / 1000)
    return String(repeating: " ", count: max(0, 5 - seconds.count)) + "\(seconds).\(fraction)  \(text)"
  }
}
