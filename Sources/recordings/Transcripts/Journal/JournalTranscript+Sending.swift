import Behavior

/// Values sent from outside. Transcripts have no word for this action, and a transcript that expected the values would fail.
extension JournalTranscript {
  /// Notes such a value, and returns whether an event is a part of it on its way out.
  mutating func isForeign(_ event: TrafficEvent.Kind) -> Bool {
    switch event {
    case .sent(let value):
      sending = value
      foreignValues.insert(value.place)
      return false
    case .plain(let place, let bytes, isSent: true):
      // The values on the air follow, and become comments.
      defer { sending = nil }
      guard takesPart(bytes, of: place) else { return false }
      plainStream = place
      return true
    case .notify(let place, let bytes, _), .indicate(let place, let bytes, _):
      if takesPart(bytes, of: place) { return true }
      foreignValues.remove(place)
    case .wireOut(let bytes, _): if takesPart(bytes, of: "wire") { return true }
    case .write(_, let place, _, _, refused: nil): foreignValues.remove(place)
    case .fault, .warning: return false
    default: break
    }
    sending = nil
    return false
  }

  /// Whether bytes are the next ones of the value being sent; if so, removes them from it.
  private mutating func takesPart(_ bytes: [UInt8], of place: String) -> Bool {
    guard let rest = sending, rest.place == place, rest.bytes.starts(with: bytes) else { return false }
    sending?.bytes.removeFirst(bytes.count)
    if rest.bytes.count == bytes.count { sending = nil }
    return true
  }

  /// The lines for one side of a value that a fault strikes: the central's is the conversation, and the device's a comment.
  mutating func lines(
    of event: TrafficEvent, _ kind: TrafficEvent.Kind, on side: TrafficEvent.Side,
    _ following: some Sequence<TrafficEvent>
  ) -> [String] {
    let place = kind.passage?.place ?? ""
    guard side == .peer else {
      if isForeign(kind) { struckForeign.insert(place) } else { struckForeign.remove(place) }
      return ["# \(text(of: event))"]
    }
    let isOutput = kind.passage?.direction == .fromDevice
    if isOutput && struckForeign.contains(place) || encoded.contains(place) {
      return ["# \(encoded.contains(place) ? "encoded: " : "")\(text(of: event))"]
    }
    return lines(of: TrafficEvent(time: event.time, kind: kind), following: following)
  }
}
