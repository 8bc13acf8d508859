import Behavior
import Bluetooth
import Definitions
import DeviceModel
import Framing

/// Writes the journal of a device as a transcript, which `blemu test` runs: the actions of its central, its wire side and
/// people, and the device's output.
///
/// A transcript has one central. The actions of further centrals at the same time become comments.
package struct JournalTranscript: Sendable {
  /// How its lines are spelt.
  package var words: TranscriptText
  /// The time that the lines so far have reached; nil: there is none yet.
  var mark: Instant?
  var central: Central?
  /// Why the end of the connection has no line, or not the usual one.
  var ending = Ending.usual
  /// The value of the last event, if it was a read: the next read may continue a long value.
  package var lastRead: (id: String, value: [UInt8])?
  var shownPasskey: UInt32?
  /// The central of which the line with the pairing came with the encryption, before what rules do then.
  var paired: Central?
  /// The number of bytes that have arrived of a message sent in pieces, by characteristic.
  var pieces: [String: Int] = [:]

  enum Ending {
    case usual
    /// A person at the device ended it; transcripts have no word for this.
    case byPerson
    /// Pairing failed; a transcript's central then disconnects by itself.
    case byFailure
  }

  /// The shortest wait that gets its own line.
  static let shortestWait = Duration.milliseconds(20)
  /// The number of events searched for those that belong to one.
  static let horizon = 256
  /// Output that takes longer gets its own time limit.
  static let patience = Duration.seconds(4)

  /// The rest of a value that is being sent from outside.
  var sending: SentValue?
  /// The characteristics whose values were sent from outside, by id.
  var foreignValues: Set<String> = []
  /// The places where faults have struck values that were sent from outside.
  var struckForeign: Set<String> = []

  /// The ids of the streams that a transcript has in plain bytes, and `wire` if the wire side is one.
  let encoded: Set<String>
  /// Those that only the device can encode or decode: a transcript has their bytes on the air.
  let oneWay: Set<String>
  /// The names of the layers.
  let layers: Set<String>

  /// The stream whose plain bytes have just been written, and whose values on the air follow.
  var plainStream: String?

  package init(_ definition: PeripheralDefinition, _ style: TranscriptText.Style = .exact) {
    words = TranscriptText(definition, style)
    var codings = definition.characteristics.compactMap { stream in stream.coding.map { (stream.id, $0) } }
    if let coding = definition.wire.coding { codings.append(("wire", coding)) }
    layers = Set(definition.layers.map(\.name))
    encoded = Set(codings.filter { $1.peer != nil }.map(\.0))
    oneWay = Set(codings.map(\.0)).subtracting(encoded)
  }

  /// The lines before the first.
  ///
  /// - Parameters:
  ///   - device: the definition's name in the transcript: that of a bundled one, or a path.
  ///   - settings: at the start.
  ///   - forgotten: how many events are missing before the first line.
  package static func head(
    _ definition: PeripheralDefinition, device: String, settings: [Value], seed: UInt64, forgotten: Int
  ) -> String {
    var recording = Recording(definition, device: device)
    recording.begin("A conversation", settings: settings, options: EngineOptions(seed: seed))
    return recording.text
      + (forgotten > 0 ? "# \(forgotten) earlier events are no longer in the journal\n" : "")
  }

  /// Takes an event that precedes the first line.
  package mutating func pass(_ event: TrafficEvent) {
    mark = event.time
    _ = isForeign(event.kind)
    switch event.kind {
    case .connected(let central, _): self.central = self.central ?? central
    case .disconnected(central, _): (central, ending) = (nil, .usual)
    case .controlled(.disconnect): ending = .byPerson
    case .pairingFailed(central, _): ending = .byFailure
    default: break
    }
  }

  /// The lines for an event, each without a line feed. Most events have one.
  ///
  /// - Parameter following: the events after it.
  package mutating func lines(of event: TrafficEvent, following: some Sequence<TrafficEvent>) -> [String] {
    if mark == nil { mark = event.time }
    let earlierRead = lastRead
    // What a rule for a read does is inside that read.
    if !event.kind.isInside { lastRead = nil }
    if case .oneSided(let side, let kind) = event.kind { return lines(of: event, kind, on: side, following) }
    if isForeign(event.kind) { return [] }
    let soon = following.prefix(Self.horizon)
    if !encoded.isEmpty, let lines = linesOfEncodedStream(event, soon) {
      return lines
    }
    switch event.kind {
    case .connected(let central, _):
      return serves(central, soon) + connect(central, following, at: event.time)
    case .disconnected(let central, let reason): return disconnect(central, reason, at: event.time)
    case .encrypted(let central, _): return pairing(central, soon, at: event.time)
    case .paired(paired), .bonded(paired): return []
    case .paired(let central) where soon.first(where: Self.isOfLink)?.kind == .bonded(central): return []
    case .pairingFailed(let central, let failure):
      if central == self.central { ending = .byFailure }
      return act(attempt(failure), of: central, at: event.time, answer: "! \(failure.name)")
    case .unsubscribed where Self.endsLink(event, soon): return []
    case .subscribed(let central, _), .unsubscribed(let central, _): return act(event, of: central)
    case .paired(let central), .bonded(let central), .opened(let central, _), .closed(let central, _, nil),
      .channelIn(let central, _, _), .clientIn(let central, _, _, isRead: false):
      return act(event, of: central)
    case .wireIn: return act(event, of: nil)
    case .read(let central, let id, let value, let error):
      lastRead = (id, value)
      if let earlierRead, Self.continues(earlierRead, with: (id, value)) { return [] }
      let answer =
        error.map { "! \($0.name)" }
        ?? "= \(words.value(of: Passage(direction: .read, place: id, bytes: value)))\(words.comment(on: value))"
      let isForeign = error == nil && foreignValues.contains(id)
      return act(event, of: central, answer: isForeign ? "# \(answer)" : answer)
    case .write(let central, let id, let value, let kind, let error):
      return write(value, to: id, kind, error, of: central, at: event.time)
    case .notify(let id, let value, _), .indicate(let id, let value, _):
      guard words.definition.characteristics.contains(where: { $0.id == id }) else {
        return ["# \(text(of: event))"]  // Service Changed of blemu's own 1801
      }
      return isPiece(value, of: id, soon) ? [] : output(event)
    case .frame(_, let id, _, _, isSent: true):
      return pieces.removeValue(forKey: id) == nil ? [] : output(event)
    case .clientOut(_, let id, let bytes, _) where id.contains("/"):
      return ["# < \(id)  \(HexText.format(bytes))"]
    case .closed(_, _, "by the device"?), .channelOut, .clientOut, .wireOut, .log: return output(event)
    case .closed: return []  // the end of the link says it
    case .discovered(_, let found, let missing):
      return ["# found: \(found.joined(separator: " ")); missing: \(missing.joined(separator: " "))"]
    case .clientIn(_, let id, let bytes, _):
      return ["# read \(id)  \(words.value(bytes, at: id))"]
    case .controlled(let operation): return control(operation, at: event.time)
    case .sent(let value):
      return ["# \(value.words), by a person at the device\(words.comment(on: value.bytes))"]
    case .warning(let text, _, _): return ["# ! \(VisibleText.escape(text))"]
    case .fault(let strike): return ["# fault \(VisibleText.escape(strike.fault))"]
    case .intercepted(let number, let step):
      return ["# intercept \(number) \(VisibleText.escape(step.words))"]
    case .passkeyShown(_, let passkey):
      shownPasskey = passkey
      return []
    case .onAir, .offAir, .address, .link, .identified, .wire, .error, .frame, .plain, .oneSided: return []
    }
  }
}

extension TrafficEvent.Kind {
  /// Whether a rule for another event causes it before that event has ended.
  fileprivate var isInside: Bool {
    switch self {
    case .frame(_, _, _, _, isSent: true), .plain(_, _, isSent: true), .log: true
    default: false
    }
  }
}
