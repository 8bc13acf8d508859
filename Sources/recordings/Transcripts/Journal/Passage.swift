import Behavior

/// Bytes in transit.
struct Passage {
  enum Direction {
    case toDevice, fromDevice, read
  }

  enum Form {
    /// One value as it is on the air, or bytes at the wire side.
    case value
    /// What several values form.
    case frame
    /// Decoded bytes.
    case plain
  }

  var direction: Direction
  /// The id of the attribute or the channel, or `wire`.
  var place: String
  var bytes: [UInt8]
  var form = Form.value
  /// The side that has them like this, where a fault strikes them; nil: both.
  var side: TrafficEvent.Side?

  /// Whether it is derived from values.
  var isDerived: Bool { form != .value }

  /// Whether one side has them like this. The arrows of transcripts are the peer's side, and the words the device's.
  func concerns(_ side: TrafficEvent.Side) -> Bool { self.side == nil || self.side == side }

  /// How its line begins.
  var mark: String {
    switch direction {
    case .toDevice where side == .device: "received"
    case .fromDevice where side == .device: "sent"
    case .toDevice: place == "wire" ? "]" : ">"
    case .fromDevice: place == "wire" ? "[" : "<"
    case .read: "read"
    }
  }
}

extension TrafficEvent.Kind {
  /// nil: it carries no bytes, or its read was refused.
  var passage: Passage? {
    switch self {
    case .write(_, let place, let bytes, _, _), .channelIn(_, let place, let bytes),
      .clientIn(_, let place, let bytes, isRead: false):
      Passage(direction: .toDevice, place: place, bytes: bytes)
    case .notify(let place, let bytes, _), .indicate(let place, let bytes, _),
      .channelOut(let place, let bytes, _), .clientOut(_, let place, let bytes, _):
      Passage(direction: .fromDevice, place: place, bytes: bytes)
    case .read(_, let place, let bytes, nil): Passage(direction: .read, place: place, bytes: bytes)
    case .wireIn(let bytes): Passage(direction: .toDevice, place: "wire", bytes: bytes)
    case .wireOut(let bytes, _): Passage(direction: .fromDevice, place: "wire", bytes: bytes)
    case .frame(_, let place, let bytes, _, let isSent):
      Passage(direction: isSent ? .fromDevice : .toDevice, place: place, bytes: bytes, form: .frame)
    case .plain(let place, let bytes, let isSent):
      Passage(direction: isSent ? .fromDevice : .toDevice, place: place, bytes: bytes, form: .plain)
    case .oneSided(let side, let event): event.passage?.of(side)
    default: nil
    }
  }
}

extension Passage {
  fileprivate func of(_ side: TrafficEvent.Side) -> Passage {
    var passage = self
    passage.side = side
    return passage
  }
}

extension Arrival {
  /// What the device has sent or received, whatever faults do to it; nil: the event is neither.
  package init?(ofDevice event: TrafficEvent) {
    guard let passage = event.kind.passage, passage.concerns(.device) else { return nil }
    switch passage.direction {
    case .fromDevice: self.init(at: event.time, from: .sent(passage.place), passage.bytes)
    case .toDevice: self.init(at: event.time, from: .received(passage.place), passage.bytes)
    case .read: return nil
    }
  }
}
