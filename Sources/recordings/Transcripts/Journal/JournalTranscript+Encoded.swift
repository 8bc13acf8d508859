import Behavior
import DeviceModel
import Framing

/// Encoded streams: a transcript has their plain bytes, and the values on the air become comments. Values that
/// are the same when decoded are written as in other streams.
extension JournalTranscript {
  /// - Returns: nil: the event is written as in other streams.
  mutating func linesOfEncodedStream(
    _ event: TrafficEvent, _ following: some Sequence<TrafficEvent>
  ) -> [String]? {
    if case .plain(let place, let bytes, let isSent) = event.kind {
      plainStream = isSent ? place : nil
      return plain(bytes, of: place, isSent: isSent, at: event.time)
    }
    guard let value = EncodedValue(event.kind), encoded.contains(value.place) else {
      plainStream = nil
      return nil
    }
    if value.isSent {
      guard plainStream == value.place else { return nil }
    } else {
      plainStream = nil
      guard Self.becomesPlain(value, following) else { return nil }
    }
    return value.isWhole ? [] : ["# encoded: \(value.mark) \(value.place)  \(HexText.format(value.bytes))"]
  }

  private mutating func plain(_ bytes: [UInt8], of place: String, isSent: Bool, at time: Instant) -> [String]
  {
    let mark = EncodedValue(place: place, bytes: bytes, isSent: isSent).mark
    return isSent
      ? output("\(mark) ", bytes, of: place, at: time)
      : act("\(mark) \(place)  \(exact(bytes, at: place))\(comment(on: bytes))", at: time)
  }

  /// Whether the next event of the stream is the plain bytes of a value.
  private static func becomesPlain(_ value: EncodedValue, _ following: some Sequence<TrafficEvent>) -> Bool {
    for event in following {
      if case .plain(value.place, _, isSent: false) = event.kind { return true }
      if let next = EncodedValue(event.kind), next.place == value.place { return false }
    }
    return false
  }
}

/// A value of a stream as it is on the air.
private struct EncodedValue {
  /// The id of the characteristic, or `wire`.
  var place: String
  var bytes: [UInt8]
  var isSent: Bool
  /// Whether it is the frame that several values form.
  var isWhole = false

  /// How its line begins.
  var mark: String { place == "wire" ? (isSent ? "[" : "]") : (isSent ? "<" : ">") }
}

extension EncodedValue {
  init?(_ event: TrafficEvent.Kind) {
    switch event {
    case .write(_, let id, let value, _, refused: nil): self.init(place: id, bytes: value, isSent: false)
    case .notify(let id, let value, _), .indicate(let id, let value, _):
      self.init(place: id, bytes: value, isSent: true)
    case .wireIn(let bytes): self.init(place: "wire", bytes: bytes, isSent: false)
    case .wireOut(let bytes, _): self.init(place: "wire", bytes: bytes, isSent: true)
    case .frame(_, let place, let bytes, _, let isSent):
      self.init(place: place, bytes: bytes, isSent: isSent, isWhole: true)
    default: return nil
    }
  }
}
