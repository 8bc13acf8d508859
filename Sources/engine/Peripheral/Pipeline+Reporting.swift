import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// Receives the traffic of a device. The call is on the path of the bytes, so slow work must wait for later.
@EventLoop
package protocol TrafficSink: AnyObject {
  /// Whether it takes ``TrafficEvent/Kind/frame(_:_:_:message:isSent:)``, too.
  var takesFrames: Bool { get }

  func take(_ event: TrafficEvent)
}

extension TrafficSink {
  package var takesFrames: Bool { false }
}

/// Traffic and counts.
extension Pipeline {
  func report(_ event: Event, _ response: Response?) {
    guard !sinks.isEmpty, let kind = TrafficEvent.Kind(event, response, in: names) else { return }
    report(kind)
  }

  /// Passes traffic to the sinks.
  func report(_ kind: @autoclosure () -> TrafficEvent.Kind) {
    guard !sinks.isEmpty else { return }
    let event = TrafficEvent(time: scheduler.now, kind: kind())
    for sink in sinks { sink.take(event) }
  }

  func warn(_ problem: String) { report(.warning(problem, attribute: nil, [])) }

  /// Counts an event, and opens the wire side for subscribers after the actions of their subscription.
  func count(_ event: Event, _ response: Response?) {
    switch event {
    case .connected: totals.centrals += 1
    case .writeRequested: totals.valuesIn += 1
    case .configuring(_, let characteristic, _, let old, let new, _):
      guard response?.error == nil, (old == nil) != (new == nil) else { return }
      if new == nil {
        countEnd(of: .characteristic(characteristic))
      } else {
        wire.subscribed(to: .characteristic(characteristic))
      }
    case .subscribed(_, let characteristic, _): wire.subscribed(to: .characteristic(characteristic))
    case .unsubscribed(_, let characteristic): countEnd(of: .characteristic(characteristic))
    case .channelOpened(_, let channel): wire.subscribed(to: .channel(channel))
    case .channelClosed(_, let channel, _): countEnd(of: .channel(channel))
    case .channelReceived, .soughtReceived: totals.valuesIn += 1
    case .intervention(.respond(let event, let response, _, _)): count(event, response)
    case .intervention(.relayed(let event, _)): if case .configuring = event { count(event, response) }
    case .intervention(.take), .intervention(.pass), .intervention(.passOn), .started, .disconnected,
      .confirmed, .serviceChanged,
      .readRequested, .writeChecked, .wireReceived, .timerFired, .restarted, .paired, .bonded, .pairingFailed,
      .encrypted, .encryptionFailed, .linkChanged, .parametersRefused, .passkeyShown, .controlled,
      .discovered, .soughtRefused:
      break
    }
  }

  /// Counts the end of a subscription.
  private func countEnd(of place: Endpoint) {
    let dropped = wire.unsubscribed(from: place)
    guard dropped > 0 else { return }
    warn("wire side: dropped \(dropped) bytes for the last central, which has disconnected")
  }
}
