import Behavior
import DeviceModel
import EventLoop
import Peripheral
import TrafficView

/// Writes entries of a journal, as the log does: as lines of text, or as JSON objects.
@EventLoop
struct JournalText {
  /// Recognizes the device's messages.
  let messages: EventMessages
  private let clock = WallClock()
  private let text: TextFormat
  private let json: JSONFormat

  init(_ definition: PeripheralDefinition) {
    messages = EventMessages(of: definition)
    (text, json) = (TextFormat(messages), JSONFormat(messages))
  }

  /// The lines of the log for an event, without the line feed at their end.
  func lines(_ entry: Journal.Entry) -> String {
    String(text.text(for: entry.event.kind, at: clock.time(of: entry.event.time)).dropLast())
  }

  /// The object for an event, on one line.
  func object(_ entry: Journal.Entry) -> String {
    "{\"number\":\(entry.number)," + members(of: entry.event) + "}"
  }

  /// The members of that object but its number.
  func members(of event: TrafficEvent) -> Substring {
    json.text(for: event.kind, at: clock.time(of: event.time)).dropFirst().dropLast(2)
  }
}
