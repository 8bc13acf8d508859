import Traffic

/// The name of an event, as programs read it: in JSON, in the control protocol and on the page. Names are stable.
package enum EventName: String, CaseIterable, Sendable {
  case onAir = "on-air"
  case offAir = "off-air"
  case connected
  case disconnected
  case link
  case paired
  case bonded
  case pairingFailed = "pairing-failed"
  case encrypted
  case passkey
  case subscribed
  case unsubscribed
  case read
  case write
  case notify
  case indicate
  case wireIn = "wire-in"
  case wireOut = "wire-out"
  case plain
  case frame
  case control
  case intercepted
  case wire
  case fault
  case log
  case warning
  case error
}

extension EventName {
  package init(_ event: TrafficEvent.Kind) {
    self =
      switch event {
      case .onAir: .onAir
      case .offAir: .offAir
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
