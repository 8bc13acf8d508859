import Behavior
import Bluetooth
import Definitions
import DeviceModel
import Framing

extension JournalTranscript {
  /// The line that expects output.
  mutating func output(_ event: TrafficEvent) -> [String] {
    [text(of: event) + limit(at: event.time) + comment(on: event)]
  }

  func text(of event: TrafficEvent) -> String { words.line(of: event.kind) ?? "" }

  func comment(on event: TrafficEvent) -> String {
    event.kind.passage.map { words.comment(on: $0.bytes) } ?? ""
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
    guard let characteristic = words.definition.characteristics.first(where: { $0.id == id }),
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
}
