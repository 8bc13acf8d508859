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

  /// Whether it is derived from values.
  var isDerived: Bool { form != .value }

  /// How its line begins.
  var mark: String {
    switch direction {
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
    default: nil
    }
  }
}
