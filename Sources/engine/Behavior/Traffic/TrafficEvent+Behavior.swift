import Bluetooth
import DeviceModel
import Framing

/// Converts events and remarks of the engine to traffic.
extension TrafficEvent.Kind {
  /// The traffic that an event is; nil: the event is internal to the device. Not an initializer: one would take a copy of the event.
  package static func of(_ event: Event, _ response: Response?, in names: TrafficNames) -> Self? {
    switch event {
    case .connected(let central, let link): return .connected(central, link)
    case .disconnected(let central, let reason): return .disconnected(central, reason)
    case .linkChanged(let central, let change): return .link(central, change)
    case .subscribed(let central, let characteristic, _):
      return .subscribed(central, names.name(of: characteristic))
    case .configuring(let central, let characteristic, let value, let old, let new, let kind):
      let id = names.name(of: characteristic)
      if let error = response?.error {
        return .write(central, "\(id)/2902", value, kind, refused: error)
      } else {
        guard (old == nil) != (new == nil) else { return nil }
        return new == nil ? .unsubscribed(central, id) : .subscribed(central, id)
      }
    case .unsubscribed(let central, let characteristic):
      return .unsubscribed(central, names.name(of: characteristic))
    case .readRequested(let central, let attribute, _):
      return .read(central, names.name(of: attribute), response?.value ?? [], refused: response?.error)
    // A part that rules accept is shown once it is written.
    case .writeRequested(let central, let attribute, let value, _, .prepared),
      .writeChecked(let central, let attribute, let value, _, _):
      guard let error = response?.error else { return nil }
      return .write(central, names.name(of: attribute), value, .reliable, refused: error)
    case .writeRequested(let central, let attribute, let value, _, let kind):
      return .write(central, names.name(of: attribute), value, kind, refused: response?.error)
    case .serviceChanged(_, let characteristic, let value):
      return .indicate(characteristic.map(names.name) ?? "2A05", value, message: "Service Changed")
    case .channelOpened(let central, let channel):
      return .opened(central, names.name(of: .channel(channel)))
    case .channelClosed(let central, let channel, let reason):
      return .closed(central, names.name(of: .channel(channel)), reason: reason)
    case .channelReceived(let central, let channel, let bytes):
      return .channelIn(central, names.name(of: .channel(channel)), bytes)
    case .discovered(let central, let found):
      let all = names.definition.sought
      return .discovered(
        central, found: found.sorted().map { all[$0].id },
        missing: all.indices.filter { !found.contains($0) }.map { all[$0].id })
    case .soughtReceived(let central, let sought, let bytes, let isRead):
      return .clientIn(central, names.name(of: .sought(sought)), bytes, isRead: isRead)
    case .soughtRefused(let central, let sought, let error, let request):
      let name = names.name(of: .sought(sought))
      return .warning("\(central) refused \(request.name): \(error)", attribute: name, [])
    case .wireReceived(let bytes, _): return .wireIn(bytes)
    case .identified(let central, let identity): return .identified(central, identity)
    case .paired(let central): return .paired(central)
    case .bonded(let central): return .bonded(central)
    case .pairingFailed(let central, let failure): return .pairingFailed(central, failure)
    case .encrypted(let central, let security): return .encrypted(central, security)
    case .passkeyShown(let central, let passkey): return .passkeyShown(central, passkey)
    case .controlled(.send(let bytes, let endpoint, let message, let central)):
      let name = message.map { names.definition.messages[$0].name }
      return .sent(SentValue(bytes, from: names.name(of: endpoint), message: name, to: central))
    case .controlled(let event):
      guard let operation = Operation(event, in: names.definition) else { return nil }
      return .controlled(operation)
    case .intervention(.respond(let event, _, _, _)): return of(event, response, in: names)
    case .intervention(.relayed(let event, let answer)): return of(relayed: event, answer, in: names)
    case .intervention(.take), .intervention(.pass), .intervention(.passOn), .layerPassed, .started,
      .restarted,
      .confirmed,
      .timerFired:
      return nil
    // The transport has said why in a warning.
    case .parametersRefused, .encryptionFailed: return nil
    }
  }

  /// A write was shown when it passed.
  private static func of(relayed event: Event, _ answer: Response, in names: TrafficNames) -> Self? {
    switch event {
    case .readRequested, .configuring: return of(event, answer, in: names)
    case .writeRequested(_, let attribute, let value, _, _):
      guard let error = answer.error else { return nil }
      return .warning("the device refused it: \(error)", attribute: names.name(of: attribute), value)
    case .subscribed(_, let characteristic, _):
      guard let error = answer.error else { return nil }
      let name = names.name(of: characteristic)
      return .warning("the device sends nothing: it refused the subscription: \(error)", attribute: name, [])
    default: return nil
    }
  }

  package init(_ remark: Remark, in names: TrafficNames) {
    switch remark {
    case .discarded(let endpoint, let bytes, let reason):
      self = .warning("not a frame: \(reason)", attribute: names.name(of: endpoint), bytes)
    case .tooMuchHeld(let endpoint, let bytes, let limit):
      let problem = "discarded: \(limit) bytes are already waiting"
      self = .warning(problem, attribute: names.name(of: endpoint), bytes)
    case .plain(let endpoint, let bytes, let isSent):
      self = .plain(names.name(of: endpoint), bytes, isSent: isSent)
    case .frame(let endpoint, let central, let bytes):
      self = .frame(central, names.name(of: endpoint), bytes, isSent: false)
    case .unexpected(let endpoint, let frame):
      self = .warning("no rule matches this frame", attribute: names.name(of: endpoint), frame)
    case .passed(let endpoint, let message, let isSent):
      self = .log("\(isSent ? "<" : ">") \(names.name(of: endpoint))  \(message)")
    case .assembled(let endpoint, let frame, let line, let file):
      let place = file.map { " of \($0)" } ?? ""
      self = .log(
        "\(names.name(of: endpoint))  \(HexText.format(frame))  (assembled by the rule in line \(line)\(place))"
      )
    case .passedLayer(let layer, let bytes, let isSent):
      self = .plain(names.definition.layers[layer].name, bytes, isSent: isSent)
    case .struck(let strike): self = .fault(strike)
    case .refusedLate(let endpoint, let error):
      self = .warning("refused after a wait: \(error)", attribute: names.name(of: endpoint), [])
    case .intervened(let interceptor, let refuses):
      self = .intercepted(interceptor, refuses ? .refused : .answered)
    case .ruleFailed(let line, let file, let reason):
      let place = file.map { " of \($0)" } ?? ""
      self = .warning("the rule in line \(line)\(place) failed: \(reason)", attribute: nil, [])
    case .turnedAway(let central, let limit):
      let others = limit == 1 ? "another central is" : "\(limit) centrals are"
      self = .warning("\(central) is turned away: \(others) connected", attribute: nil, [])
    case .unsent(let endpoint, let reason):
      self = .log("'\(names.name(of: endpoint))' sends nothing: \(reason)")
    case .logged(let text): self = .log(text)
    }
  }
}

extension ClientRequest {
  fileprivate var name: String {
    switch self {
    case .discover: "the discovery"
    case .subscribe: "the subscription"
    case .read: "the read"
    case .write: "the write"
    }
  }
}

extension Response {
  fileprivate var value: [UInt8]? {
    if case .value(let bytes) = self { bytes } else { nil }
  }
}
