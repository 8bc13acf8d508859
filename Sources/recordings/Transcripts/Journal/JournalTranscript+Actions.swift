import Behavior
import Bluetooth
import Definitions
import DeviceModel
import Framing

extension JournalTranscript {
  /// A line for an action of a central or a person, after any wait.
  mutating func act(_ line: String, at time: Instant, answer: String? = nil) -> [String] {
    let wait = (mark ?? time).duration(to: time)
    let isLong = wait >= Self.shortestWait
    if isLong { mark = time }
    return (isLong ? ["+\(wait.written)"] : []) + [line] + (answer.map { [$0] } ?? [])
  }

  /// The line for an event.
  mutating func act(_ event: TrafficEvent, of central: Central?, answer: String? = nil) -> [String] {
    let comment = answer == nil ? comment(on: event) : ""
    return act(text(of: event) + comment, of: central, at: event.time, answer: answer)
  }

  mutating func act(
    _ line: String, of central: Central?, at time: Instant, answer: String? = nil
  ) -> [String] {
    guard let central, let present = self.central, central != present else {
      return act(line, at: time, answer: answer)
    }
    return ["# \(central): \(line)"]
  }

  mutating func connect(
    _ central: Central, _ following: some Sequence<TrafficEvent>, at time: Instant
  ) -> [String] {
    guard self.central == nil else { return ["# \(central): connect"] }
    self.central = central
    let longest = following.lazy.prefix { !Self.isEnd($0, of: central) }.map(Self.size).max() ?? 0
    return act(TranscriptText.connect(mtu: longest + 3), at: time)
  }

  /// What the device finds at a central that connects, each with the first value that the device reads.
  func serves(_ central: Central, _ following: some Sequence<TrafficEvent>) -> [String] {
    guard self.central == nil else { return [] }
    var (found, values): ([String], [String: [UInt8]]) = ([], [:])
    for event in following.prefix(while: { !Self.isEnd($0, of: central) }) {
      switch event.kind {
      case .discovered(central, let ids, _) where found.isEmpty: found = ids
      case .clientIn(central, let id, let value, isRead: true): values[id] = values[id] ?? value
      default: break
      }
    }
    return found.map { id in "serve \(id)" + (values[id].map { "  " + words.value($0, at: id) } ?? "") }
  }

  mutating func disconnect(_ central: Central, _ reason: HCIError?, at time: Instant) -> [String] {
    guard central == self.central else { return ["# \(central): disconnect"] }
    self.central = nil
    defer { ending = .usual }
    switch (ending, reason) {
    case (.byFailure, _): return []
    case (.usual, .localHost): return ["disconnected\(limit(at: time))"]
    case (.usual, let reason?) where reason != .remoteUserTerminated:
      return act("disconnect reason=\(reason.name)", at: time)
    default: return act("disconnect", at: time)
    }
  }

  /// The line with the pairing that has encrypted a link; none if that has used known keys.
  mutating func pairing(_ central: Central, _ soon: some Sequence<TrafficEvent>, at time: Instant) -> [String]
  {
    paired = nil
    let rest = soon.prefix { event in
      switch event.kind {
      case .disconnected(central, _), .encrypted(central, _), .pairingFailed(central, _): false
      default: true
      }
    }
    guard rest.contains(where: { $0.kind == .paired(central) }) else { return [] }
    paired = central
    return act(rest.contains { $0.kind == .bonded(central) } ? "bond" : "pair", of: central, at: time)
  }

  /// A pairing that fails: the journal does not have the passkey that was entered, only that it was wrong.
  func attempt(_ failure: PairingFailure) -> String {
    guard failure == .confirmValueFailed else { return "pair" }
    return shownPasskey == 0 ? "pair passkey=000001" : "pair passkey=000000"
  }

  mutating func write(
    _ value: [UInt8], to id: String, _ kind: WriteKind?, _ error: ATTError?, of central: Central?,
    at time: Instant
  ) -> [String] {
    let answer = kind == .command ? nil : error.map { "! \($0.name)" }
    if error != nil, let subscribed = characteristic(withConfiguration: id) {
      let line = "subscribe \(subscribed)"
      // A transcript's central subscribes with a Write Request, and would notice a refusal.
      return kind == .command
        ? ["# \(line), by a Write Command"] : act(line, of: central, at: time, answer: answer)
    }
    let passage = Passage(direction: .toDevice, place: id, bytes: value)
    let line = words.line(of: passage, mark: mark(of: kind, to: id)) + words.comment(on: value)
    return act(line, of: central, at: time, answer: answer)
  }

  /// The id of the characteristic whose Client Characteristic Configuration this is; nil: it is another attribute.
  private func characteristic(withConfiguration id: String) -> String? {
    words.definition.characteristics.first { $0.canNotify && "\($0.id)/2902" == id }?.id
  }

  /// How a line for a write begins: `>` is the usual way of the characteristic.
  private func mark(of kind: WriteKind?, to id: String) -> String {
    guard let characteristic = words.definition.characteristics.first(where: { $0.id == id }) else {
      return ">"
    }
    let takesRequests = characteristic.properties.contains(.write)
    return switch kind {
    case .command where takesRequests: ">!"
    case .request where !takesRequests, .reliable where !takesRequests: ">?"
    default: ">"
    }
  }

  /// An action of a person at the device.
  mutating func control(_ operation: Operation, at time: Instant) -> [String] {
    switch operation {
    case .advance: return ["# \(operation.words)"]  // the next line waits as long
    case .disconnect:
      ending = .byPerson
      return ["# \(operation.words), by a person at the device"]
    case .forget: return act("forget", at: time)
    case .set, .press, .advertise, .reset: return act(operation.words, at: time)
    }
  }
}
