import Behavior
import Bluetooth
import Definitions
import DeviceModel
import Framing

extension JournalTranscript {
  mutating func output(_ mark: String, _ value: [UInt8], of place: String, at time: Instant) -> [String] {
    ["\(mark)\(place)  \(exact(value, at: place))\(limit(at: time))\(comment(on: value))"]
  }

  func exact(_ value: [UInt8], at place: String) -> String {
    ValueText.exact(value, at: place, of: definition)
  }

  mutating func output(_ beginning: String, quoted text: [UInt8], at time: Instant) -> [String] {
    ["\(beginning)\(ValueText.quote(text))\(limit(at: time))"]
  }

  /// The time limit of the output, if it took longer than usual. A device may take a little longer the next time.
  mutating func limit(at time: Instant) -> String {
    let delay = (mark ?? time).duration(to: time)
    mark = time
    return delay > Self.patience ? "  within \(delay.wholeMilliseconds * 5 / 4000 + 1)s" : ""
  }

  /// Whether a value is a piece of a message that a transcript expects as a whole: of a characteristic that has framing and
  /// only notifies. The message follows its pieces.
  mutating func isPiece(
    _ value: [UInt8], of id: String, _ following: some Sequence<TrafficEvent>
  ) -> Bool {
    guard let characteristic = definition.characteristics.first(where: { $0.id == id }),
      characteristic.sentFraming != nil
    else { return false }
    let start = pieces[id] ?? 0
    for event in following {
      guard case .frame(_, id, let message, _, isSent: true) = event.kind else { continue }
      guard message.dropFirst(start).starts(with: value) else { return false }
      pieces[id] = start + value.count
      return true
    }
    return false
  }

  /// Whether a read is of the rest of a long value (Read Blob Request).
  static func continues(
    _ earlier: (id: String, value: [UInt8]), with next: (id: String, value: [UInt8])
  ) -> Bool {
    earlier.id == next.id && next.value.count < earlier.value.count
      && earlier.value.reversed().starts(with: next.value.reversed())
  }

  func comment(on value: [UInt8]) -> String {
    for message in definition.namedMessages where message.hasLiteral {
      if let fields = message.parse(value) { return "  # \(ValueText.write(message, fields))" }
    }
    return ""
  }
}
