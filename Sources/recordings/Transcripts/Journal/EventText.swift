import Behavior
import DeviceModel

/// Writes events of a device in the words of transcripts: `> serial  A5 06 03 01 02 A3  day-request month=1 day=2`.
package struct EventText: Sendable {
  private let words: TranscriptText

  package init(_ definition: PeripheralDefinition) { words = TranscriptText(definition, .short) }

  /// nil for an event without a line in transcripts, or one like it.
  package func text(of event: TrafficEvent.Kind) -> String? {
    switch event {
    case .read(_, let id, _, let error?): "read \(id)  refused: \(error.name)"
    case .write(_, _, _, let kind, let error):
      event.passage.map { words.line(of: $0, mark: kind == .command ? ">!" : nil) }
        .map { $0 + (error.map { "  refused: \($0.name)" } ?? "") }
    case .discovered(_, let found, _): "found \(found.joined(separator: " "))"
    case .clientIn(_, let id, let bytes, isRead: true): "? \(id)  \(words.explained(bytes))"
    case .sent(let value): "send \(value.place)  \(words.explained(value.bytes))"
    case .intercepted(let number, let step): "* intercept \(number) \(step.words)"
    case .fault(let strike):
      "fault \(strike.fault)" + (strike.value.map { "  \(words.explained($0))" } ?? "")
    case .warning(let text, _, _): "! \(ValueText.quote(Array(text.utf8)))"
    case .oneSided(.peer, let event): text(of: event)
    case .oneSided(.device, .write(_, _, _, _, let error?)):
      words.line(of: event).map { $0 + "  refused: \(error.name)" }
    case .oneSided(.device, .frame): words.line(of: event).map { $0 + "  (whole)" }
    case .oneSided(.device, .plain): words.line(of: event).map { $0 + "  (decoded)" }
    case .read: event.passage.map { words.line(of: $0) }
    case .frame: words.line(of: event).map { $0 + "  (whole)" }
    case .plain: words.line(of: event).map { $0 + "  (decoded)" }
    default: words.line(of: event)
    }
  }
}
