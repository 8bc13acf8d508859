import Behavior
import Bluetooth
import Definitions
import DeviceModel
import Framing

extension JournalTranscript {
  static func isEnd(_ event: TrafficEvent, of central: Central) -> Bool {
    if case .disconnected(central, _) = event.kind { true } else { false }
  }

  /// The number of bytes that a packet must carry: a value is at most as long as the ATT_MTU permits.
  static func size(of event: TrafficEvent) -> Int {
    if case .oneSided(.device, _) = event.kind { return 0 }
    return switch event.kind.withoutSide {
    case .clientIn(_, _, let value, isRead: false), .notify(_, let value, _), .indicate(_, let value, _),
      .write(_, _, let value, .command, _),
      .write(_, _, let value, .request, _):
      value.count
    default: 0
    }
  }

  /// Whether it reports more than the security of a link.
  static func isOfLink(_ event: TrafficEvent) -> Bool {
    switch event.kind {
    case .encrypted, .link, .passkeyShown: false
    default: true
    }
  }

  /// Whether a subscription ends because its link does.
  static func endsLink(_ event: TrafficEvent, _ following: some Sequence<TrafficEvent>) -> Bool {
    let next = following.first { if case .unsubscribed = $0.kind { false } else { true } }
    guard let next, case .disconnected = next.kind else { return false }
    return event.time.duration(to: next.time) < Self.shortestWait
  }
}
