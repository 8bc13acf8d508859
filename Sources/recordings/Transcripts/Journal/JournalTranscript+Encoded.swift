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
    let passage = event.kind.streamPassage
    // What is on the air says the same as the messages of layers.
    if let passage, layers.contains(passage.place) { return [] }
    if let passage, oneWay.contains(passage.place) { return passage.form == .plain ? [] : nil }
    guard let passage, passage.form == .plain || encoded.contains(passage.place) else {
      plainStream = nil
      return nil
    }
    let isSent = passage.direction == .fromDevice
    if passage.form == .plain {
      plainStream = isSent ? passage.place : nil
      return isSent ? output(event) : act(event, of: nil)
    }
    if isSent {
      guard plainStream == passage.place else { return nil }
    } else {
      plainStream = nil
      guard Self.becomesPlain(passage, following) else { return nil }
    }
    return passage.form == .frame
      ? [] : ["# encoded: \(passage.mark) \(passage.place)  \(HexText.format(passage.bytes))"]
  }

  /// Whether the next event of the stream is the plain bytes of a value.
  private static func becomesPlain(_ value: Passage, _ following: some Sequence<TrafficEvent>) -> Bool {
    for event in following {
      guard let next = event.kind.streamPassage, next.place == value.place else { continue }
      if next.form != .plain || next.direction == .toDevice { return next.form == .plain }
    }
    return false
  }
}

extension TrafficEvent.Kind {
  /// Bytes of a stream, which the device has taken or sent.
  fileprivate var streamPassage: Passage? {
    switch self {
    case .read, .write(_, _, _, _, refused: .some): nil
    default: passage
    }
  }
}
