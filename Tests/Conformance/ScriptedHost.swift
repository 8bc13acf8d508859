import Behavior
import Bluetooth
import EventLoop
import Peripheral

/// A simple device: stores each write, and refuses the value 80.
@EventLoop
final class ScriptedHost: BaseHost {
  /// The events, in order.
  private(set) var log: [String] = []
  var value: [UInt8] = [1]
  /// Whether responses wait for ``respond()``.
  var holdsResponses = false
  private var held: [() -> Void] = []
  private let hasChanged: Condition
  private let tellsWriteKind: Bool

  init(_ hasChanged: Condition, tellsWriteKind: Bool) {
    self.hasChanged = hasChanged
    self.tellsWriteKind = tellsWriteKind
  }

  var heldCount: Int { held.count }

  /// Sends the delayed responses.
  func respond() {
    let responses = held
    held = []
    for respond in responses { respond() }
  }

  func receive(_ event: Event, respond: Responder?) {
    if let response = take(event) {
      if holdsResponses { held.append { respond?(response) } } else { respond?(response) }
    }
    hasChanged.signal()
  }

  private func take(_ event: Event) -> Response? {
    switch event {
    case .connected: log.append("connected")
    case .disconnected: log.append("disconnected")
    case .configuring(_, let characteristic, _, _, let delivery, _):
      log.append(delivery.map { "\($0) of \(characteristic)" } ?? "unsubscribed \(characteristic)")
      return .accepted
    case .subscribed(_, let characteristic, let delivery): log.append("\(delivery) of \(characteristic)")
    case .unsubscribed(_, let characteristic): log.append("unsubscribed \(characteristic)")
    case .confirmed(_, let characteristic): log.append("confirmed \(characteristic)")
    case .writeChecked: return .accepted
    case .readRequested: return value == [0x80] ? .refused(ATTError(rawValue: 0x80)) : .value(value)
    case .writeRequested(_, _, let bytes, _, let kind):
      log.append("\(tellsWriteKind ? kind?.rawValue ?? "?" : "write") \(bytes)")
      if bytes == [0x80] { return .refused(ATTError(rawValue: 0x80)) }
      value = bytes
      return .accepted
    case .linkChanged: break
    case .discovered, .soughtReceived, .soughtRefused: break  // it asks nothing of centrals
    case .channelOpened, .channelClosed, .channelReceived, .identified, .paired, .bonded, .pairingFailed,
      .encrypted,
      .encryptionFailed, .parametersRefused, .passkeyShown:
      log.append("\(event)")
    case .started, .restarted, .serviceChanged, .wireReceived, .timerFired, .controlled, .intervention,
      .layerPassed:
      log.append("\(event)")
    }
    return nil
  }

  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {}
  func fellOffAir(_ reason: String) { log.append("off: \(reason)") }
  func cameBackOnAir() { log.append("back") }
  func warn(_ message: String) { log.append("warned: \(message)") }
}
