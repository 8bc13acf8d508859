import Behavior
import DeviceModel
import Framing

/// Writes events of a device in the words of transcripts: `> serial  A5 06 03 01 02 A3  day-request month=1 day=2`.
package struct EventText: Sendable {
  private let record: ConversationRecord

  package init(_ definition: PeripheralDefinition) { record = ConversationRecord(definition) }

  /// nil for an event without a line in transcripts.
  package func text(of event: TrafficEvent.Kind) -> String? {
    switch event {
    case .connected: "connect"
    case .disconnected: "disconnect"
    case .paired: "pair"
    case .bonded: "bond"
    case .subscribed(_, let id): "subscribe \(id)"
    case .unsubscribed(_, let id): "unsubscribe \(id)"
    case .read(_, let id, let value, nil): "read \(id)  \(text(value))"
    case .read(_, let id, _, let error?): "read \(id)  refused: \(error.name)"
    case .write(_, let id, let value, let kind, let error):
      (kind == .command ? ">! " : "> ") + "\(id)  \(text(value))"
        + (error.map { "  refused: \($0.name)" } ?? "")
    case .notify(let id, let value, _), .indicate(let id, let value, _): "< \(id)  \(text(value))"
    case .opened(_, let id): "open \(id)"
    case .closed(_, let id, let reason): reason == nil ? "close \(id)" : "closed \(id)"
    case .channelIn(_, let id, let bytes): "> \(id)  \(text(bytes))"
    case .channelOut(let id, let bytes, _): "< \(id)  \(text(bytes))"
    case .discovered(_, let found, _): "found \(found.joined(separator: " "))"
    case .clientIn(_, let id, let bytes, let isRead): "\(isRead ? "?" : ">") \(id)  \(text(bytes))"
    case .clientOut(_, let id, let bytes, _): "< \(id)  \(text(bytes))"
    case .wireIn(let bytes): "] wire  \(text(bytes))"
    case .wireOut(let bytes, _): "[ wire  \(text(bytes))"
    case .frame(_, let place, let bytes, _, let isSent):
      "\(isSent ? "<" : ">") \(place)  \(text(bytes))  (whole)"
    case .plain(let place, let bytes, let isSent): "\(isSent ? "<" : ">") \(place)  \(text(bytes))  (decoded)"
    case .controlled(let operation): operation.words
    case .sent(let value): "send \(value.place)  \(text(value.bytes))"
    case .intercepted(let number, let step): "* intercept \(number) \(step.words)"
    case .fault(let strike): "fault \(strike.fault)" + (strike.value.map { "  \(text($0))" } ?? "")
    case .log(let text): "* \"\(text)\""
    case .warning(let text, _, _): "! \"\(text)\""
    case .onAir, .offAir, .address, .link, .pairingFailed, .encrypted, .passkeyShown, .wire, .error: nil
    }
  }

  private func text(_ bytes: [UInt8]) -> String { record.text(of: bytes, like: nil) }
}
