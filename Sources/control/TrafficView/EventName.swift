import Behavior

/// The name of an event, as programs read it: in JSON, in the control protocol and on the page. Names are stable.
package enum EventName: CaseIterable, Sendable {
  case onAir, offAir, address, connected, disconnected, link, paired, bonded, pairingFailed, encrypted,
    passkey,
    subscribed, unsubscribed, opened, closed, read, write, notify, indicate, channelIn, channelOut,
    discovered, clientIn, clientOut, wireIn,
    wireOut, plain, frame, control,
    intercepted, wire, fault, log, warning, error

  /// The name itself: a static text, because the log writes one in each line.
  var text: StaticString {
    switch self {
    case .onAir: "on-air"
    case .offAir: "off-air"
    case .address: "address"
    case .connected: "connected"
    case .disconnected: "disconnected"
    case .link: "link"
    case .paired: "paired"
    case .bonded: "bonded"
    case .pairingFailed: "pairing-failed"
    case .encrypted: "encrypted"
    case .passkey: "passkey"
    case .subscribed: "subscribed"
    case .unsubscribed: "unsubscribed"
    case .read: "read"
    case .write: "write"
    case .notify: "notify"
    case .indicate: "indicate"
    case .opened: "opened"
    case .closed: "closed"
    case .channelIn: "channel-in"
    case .channelOut: "channel-out"
    case .discovered: "discovered"
    case .clientIn: "client-in"
    case .clientOut: "client-out"
    case .wireIn: "wire-in"
    case .wireOut: "wire-out"
    case .plain: "plain"
    case .frame: "frame"
    case .control: "control"
    case .intercepted: "intercepted"
    case .wire: "wire"
    case .fault: "fault"
    case .log: "log"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

extension EventName: RawRepresentable {
  package init?(rawValue: String) {
    guard let name = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = name
  }

  package var rawValue: String { text.description }
}

extension TrafficEvent.Kind {
  package var name: EventName {
    switch self {
    case .onAir: .onAir
    case .offAir: .offAir
    case .address: .address
    case .connected: .connected
    case .disconnected: .disconnected
    case .link: .link
    case .paired: .paired
    case .bonded: .bonded
    case .pairingFailed: .pairingFailed
    case .encrypted: .encrypted
    case .passkeyShown: .passkey
    case .subscribed: .subscribed
    case .unsubscribed: .unsubscribed
    case .read: .read
    case .write: .write
    case .notify: .notify
    case .indicate: .indicate
    case .opened: .opened
    case .closed: .closed
    case .channelIn: .channelIn
    case .channelOut: .channelOut
    case .discovered: .discovered
    case .clientIn: .clientIn
    case .clientOut: .clientOut
    case .wireIn: .wireIn
    case .wireOut: .wireOut
    case .plain: .plain
    case .frame: .frame
    case .controlled, .sent: .control
    case .intercepted: .intercepted
    case .wire: .wire
    case .fault: .fault
    case .log: .log
    case .warning: .warning
    case .error: .error
    }
  }
}
