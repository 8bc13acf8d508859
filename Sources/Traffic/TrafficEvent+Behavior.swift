import Behavior
import Bluetooth
import DeviceModel
import Framing

/// Converts events and remarks of the engine to traffic.
extension TrafficEvent.Kind {
  /// nil: the event is internal to the device.
  package init?(_ event: Event, _ response: Response?, in names: TrafficNames) {
    switch event {
    case .connected(let central, let link): self = .connected(central, link)
    case .disconnected(let central, let reason): self = .disconnected(central, reason)
    case .subscribed(let central, let characteristic, _):
      self = .subscribed(central, names.name(of: characteristic))
    case .configuring(let central, let characteristic, let value, let old, let new, let kind):
      let id = names.name(of: characteristic)
      if let error = response?.error {
        self = .write(central, "\(id)/2902", value, kind, refused: error)
      } else {
        guard (old == nil) != (new == nil) else { return nil }
        self = new == nil ? .unsubscribed(central, id) : .subscribed(central, id)
      }
    case .unsubscribed(let central, let characteristic):
      self = .unsubscribed(central, names.name(of: characteristic))
    case .readRequested(let central, let attribute, _):
      self = .read(central, names.name(of: attribute), response?.value ?? [], refused: response?.error)
    case .writeRequested(let central, let attribute, let value, _, let kind):
      self = .write(central, names.name(of: attribute), value, kind, refused: response?.error)
    case .writeChecked(let central, let attribute, let value, _, _):
      guard let error = response?.error else { return nil }
      self = .write(central, names.name(of: attribute), value, .reliable, refused: error)
    case .serviceChanged(_, let characteristic, let value):
      self = .indicate(characteristic.map(names.name) ?? "2A05", value, message: "Service Changed")
    case .wireReceived(let bytes, _): self = .wireIn(bytes)
    case .paired(let central): self = .paired(central)
    case .bonded(let central): self = .bonded(central)
    case .pairingFailed(let central, let failure): self = .pairingFailed(central, failure)
    case .encrypted(let central, let security): self = .encrypted(central, security)
    case .passkeyShown(let central, let passkey): self = .passkeyShown(central, passkey)
    case .controlled(.send(let bytes, let endpoint, let message, let central)):
      let name = message.map { names.definition.messages[$0].name }
      self = .sent(SentValue(bytes, from: names.name(of: endpoint), message: name, to: central))
    case .controlled(let event):
      guard let operation = Operation(event, in: names.definition) else { return nil }
      self = .controlled(operation)
    case .intervention(.respond(let event, _, _, _)): self.init(event, response, in: names)
    case .intervention(.take), .intervention(.pass), .started, .restarted, .confirmed, .timerFired: return nil
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
    case .assembled(let endpoint, let frame, let line, let file):
      let place = file.map { " of \($0)" } ?? ""
      self = .log(
        "\(names.name(of: endpoint))  \(HexText.format(frame))  (assembled by the rule in line \(line)\(place))"
      )
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

extension Response {
  fileprivate var value: [UInt8]? {
    if case .value(let bytes) = self { bytes } else { nil }
  }
}
