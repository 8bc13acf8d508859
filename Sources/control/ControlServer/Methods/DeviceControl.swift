import Behavior
import BlemuControl
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import BlemuJSON
import Peripheral
import TrafficView
import Transcripts

/// Performs the methods of the control protocol that concern the device alone. ``ControlServer`` calls them, with checked parameters
/// (``ControlRequest``).
///
/// After an error nothing has changed, unless its code is ``ControlError/Code/notPossible``.
@EventLoop
package final class DeviceControl {
  let device: ControlledDevice
  let text: JournalText
  private(set) lazy var names = NameScope(of: definition)
  private var cachedParser: LineParser?
  let centrals: MemoryCentrals?
  /// What is done once the loop has nothing else to do.
  private var whenIdle: [() -> Void] = []
  private var idle: EventLoop.IdleCallback?

  package init(_ device: ControlledDevice) {
    self.device = device
    text = JournalText(device.definition)
    centrals = device.memory.map { MemoryCentrals($0, of: device.peripheral) }
    idle = EventLoop.IdleCallback { [weak self] in
      guard let self else { return }
      let work = whenIdle
      whenIdle = []
      for each in work { each() }
    }
  }

  var definition: PeripheralDefinition { device.definition }

  /// Performs an event of the control side, and returns the warnings that it caused.
  func perform(_ event: ControlEvent) throws(ControlError) -> JSONValue {
    try happen { device.peripheral.receive(.controlled(event)) }
  }

  /// - Returns: the number of the last event before this one, and warnings.
  func happen(_ body: () -> Void) throws(ControlError) -> JSONValue {
    try checkStart()
    let before = device.journal.last
    body()
    return outcome(since: before)
  }

  private func checkStart() throws(ControlError) {
    guard device.peripheral.hasStarted else {
      throw ControlError(
        .notPossible, "the device has not started yet", hint: "try again once it is on the air")
    }
  }

  /// The number of the last event before an act, and the warnings since.
  private func outcome(since before: Int) -> JSONValue {
    let warnings = device.journal.entries(after: before).compactMap { entry -> JSONValue? in
      if case .warning(let text, _, _) = entry.event.kind { .string(text) } else { nil }
    }
    return ["after": .integer(before), "warnings": .array(warnings)]
  }

  /// Reads lines of transcripts, with the device's own address.
  var parser: LineParser {
    let address = device.peripheral.context?.address ?? Array(repeating: 0, count: 6)
    if let cachedParser, cachedParser.address == address { return cachedParser }
    let parser = LineParser(definition, address: address)
    cachedParser = parser
    return parser
  }
}

extension ControlError {
  /// A mistake in the words of a parameter.
  init(_ diagnostic: Diagnostic, in text: String? = nil) {
    let place = text.map { "'\($0)': " } ?? ""
    self.init(.badParameters, place + diagnostic.message, hint: diagnostic.hint)
  }
}

extension ControlError {
  /// A name that the device does not have, or a value that it does not take.
  init(_ mistake: ControlMistake) {
    let place = if case .badValue(let name, _) = mistake { "\(name): " } else { "" }
    self.init(.badParameters, place + mistake.mistake.message, hint: mistake.mistake.hint)
  }
}

// MARK: Time

extension DeviceControl {
  /// Advances the device's clock. It replies once all timers that became due have fired.
  package func advance(_ parameters: JSONValue, _ reply: ControlReply) throws(ControlError) {
    guard let clock = device.clock else {
      throw ControlError(
        .notPossible,
        "the clock of a device on the air cannot be advanced: its centrals and its adapter stay in real time",
        hint: "run it with --on loopback")
    }
    try checkStart()
    let before = device.journal.last
    let time = Duration.milliseconds(parameters["by"]?.wholeNumber ?? 0)
    guard clock.isHeld else {
      device.peripheral.report(.controlled(.advance(time)))
      return clock.advance(by: time) { [self] in reply.succeed(outcome(since: before)) }
    }
    clock.advance(by: time) { [self] in
      // Whatever has been asked before, on any connection, is done first.
      whenIdle.append { [self] in
        reply.succeed(
          outcome(since: before).adding([
            "milliseconds": .integer(Int(device.peripheral.totals.duration.wholeMilliseconds)),
            "next": clock.timeToNext.map { .integer(Int(($0.microseconds + 999) / 1000)) },
          ]))
      }
      idle?.schedule()
    }
  }
}

// MARK: Connections

extension DeviceControl {
  /// Performs an action of a central in memory; the device may respond later.
  package func act(_ parameters: JSONValue, _ reply: ControlReply) throws(ControlError) {
    let centrals = try memoryCentrals
    let (line, address) = (parameters["line"]?.text ?? "", parameters["as"]?.text)
    try centrals.act(line, parser, as: address, reply)
  }

  /// Makes a central that a program plays.
  ///
  /// - Parameter tell: sends a line to the program.
  package func makeCentral(tell: @escaping (String) -> Void) throws(ControlError) -> PlayedCentral {
    let centrals = try memoryCentrals
    try checkStart()
    return PlayedCentral(among: centrals, of: device, text, tell: tell)
  }

  private var memoryCentrals: MemoryCentrals {
    get throws(ControlError) {
      if let centrals { return centrals }
      throw ControlError(
        .notPossible, "the device is not in memory: only a real central can do that",
        hint: "run it with --on loopback")
    }
  }
}

// MARK: Links

extension DeviceControl {
  /// Starts or stops advertising.
  package func advertise(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    try perform(.advertise(parameters["on"]?.truth ?? true))
  }

  /// Resets the device.
  package func reset() throws(ControlError) -> JSONValue { try perform(.reset) }

  /// Ends the connection of a central, or all connections.
  package func disconnect(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    let central = try parameters["central"]?.text.map { text throws(ControlError) in try self.central(text) }
    var reason = HCIError.remoteUserTerminated
    if let name = parameters["reason"]?.text {
      guard let known = HCIError(named: name) else {
        throw ControlError(
          .badParameters, "there is no HCI error '\(name)'",
          hint: Suggestion.hint(for: name, in: HCIError.allNames)
            ?? "such as remote-low-resources, or a code, as in 0x2E")
      }
      reason = known
    }
    guard central != nil || !device.peripheral.centrals.isEmpty else {
      throw ControlError(.notPossible, "no central is connected")
    }
    return try perform(.disconnect(central, reason))
  }

  /// Forgets the bond with a central, or all bonds.
  package func forget(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    guard let text = parameters["central"]?.text else { return try perform(.forget(nil)) }
    let bonded = device.peripheral.bondedCentrals
    guard let address = DeviceAddress(text), let central = bondedCentral(address, bonded) else {
      let known = bonded ?? []
      throw ControlError(
        .badParameters, "there is no bond with '\(text)'",
        hint: known.isEmpty ? nil : "bonded: \(known.map(\.description).joined(separator: ", "))")
    }
    return try perform(.forget(central))
  }

  /// The central with this address: that of its bond, or of its link.
  ///
  /// - Parameter bonded: nil: the transport does not know them.
  private func bondedCentral(_ address: DeviceAddress, _ bonded: [Central]?) -> Central? {
    guard let bonded, !bonded.contains(address) else { return address }
    return device.peripheral.central(at: address).flatMap { central in
      bonded.contains(device.peripheral.identity(of: central)) ? central : nil
    }
  }

  /// The connected central with this address, of its link or of its identity.
  func central(_ text: String) throws(ControlError) -> Central {
    let connected = device.peripheral.centrals
    guard let central = DeviceAddress(text).flatMap(device.peripheral.central) else {
      let hint =
        connected.isEmpty
        ? "no central is connected" : "connected: \(connected.map(\.description).joined(separator: ", "))"
      throw ControlError(.badParameters, "no central has the address '\(text)'", hint: hint)
    }
    return central
  }
}

// MARK: The journal

extension DeviceControl {
  /// Events, in JSON.
  package func journal(_ parameters: JSONValue) -> String {
    let after = parameters["after"]?.wholeNumber ?? 0
    let entries = device.journal.entries(after: after, most: parameters["most"]?.wholeNumber ?? 1000)
    let events =
      switch parameters["format"]?.text {
      case "text": entries.map { JSONValue.string(text.lines($0)).line }
      case "transcript": transcript(entries).map { JSONValue.string($0).line }
      default: entries.map(text.object)
      }
    let numbers: JSONValue = [
      "first": .integer(device.journal.first), "last": .integer(device.journal.last),
      "after": .integer(entries.last?.number ?? min(after, device.journal.last)),
    ]
    let head = parameters["format"]?.text == "transcript" ? JSONValue.string(transcriptHead).line : nil
    return "{" + (head.map { "\"head\": \($0), " } ?? "")
      + "\"events\": [\(events.joined(separator: ", "))], " + numbers.line.dropFirst()
  }

  /// The lines of a transcript for each event, without the last line feed.
  private func transcript(_ entries: ArraySlice<Journal.Entry>) -> [String] {
    guard let first = entries.first else { return [] }
    var transcript = JournalTranscript(definition)
    // Those before say how long the first line waits, and who is connected.
    for entry in device.journal.entries(after: 0) where entry.number < first.number {
      transcript.pass(entry.event)
    }
    return entries.map { entry in
      let following = device.journal.entries(after: entry.number).lazy.map(\.event)
      return transcript.lines(of: entry.event, following: following).joined(separator: "\n")
    }
  }

  /// The lines before them.
  private var transcriptHead: String {
    JournalTranscript.head(
      definition, device: device.source.reference(), settings: device.source.settings,
      seed: device.source.seed, forgotten: device.journal.first - 1)
  }

  /// The expectation that the parameters describe.
  ///
  /// - Parameter after: the number of the event after which it counts unless the parameters say so.
  package func expected(_ parameters: JSONValue, after: Int) throws(ControlError) -> ExpectedLines {
    let texts = (parameters["lines"]?.elements ?? []).compactMap(\.text)
    var patterns: [JournalPattern] = []
    for text in texts {
      do { patterns.append(try parser.journalPattern(text)) } catch { throw ControlError(error, in: text) }
    }
    let (least, most) = (parameters["at-least"]?.wholeNumber, parameters["at-most"]?.wholeNumber)
    guard !patterns.isEmpty else { throw ControlError(.badParameters, "'lines' has no line") }
    guard patterns.count == 1 || (least == nil && most == nil) else {
      throw ControlError(
        .badParameters, "only a single line can be counted",
        hint: "expect each line by itself, or leave the count out")
    }
    if let most, let least, least > most {
      throw ControlError(.badParameters, "at least \(least) is more than at most \(most)")
    }
    if patterns[0].condition != nil, least != nil || most != nil {
      throw ControlError(.badParameters, "a condition is true or not, and cannot be counted")
    }
    return ExpectedLines(
      patterns: patterns, least: least ?? (most == nil ? 1 : 0), most: most,
      time: .milliseconds(parameters["within"]?.wholeNumber ?? 0),
      after: parameters["after"]?.wholeNumber ?? after, isStartGiven: parameters["after"] != nil)
  }

  /// Whether a condition is true now. One that has no value is not.
  func isTrue(_ pattern: JournalPattern) -> Bool {
    guard let condition = pattern.condition, let context = device.peripheral.context else { return false }
    return (try? condition.expression.evaluate(in: context)) == .boolean(true)
  }
}
