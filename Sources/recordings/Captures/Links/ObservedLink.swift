import Bluetooth
import Framing
import HCIPackets

/// A link of a recording, from its first packet on.
///
/// The packets of HCI are from the host or from its peer, and which of them is the central may only be known at the end of the recording.
/// Until then the host counts as the central.
struct ObservedLink: Sendable {
  /// What the host is on this link; nil: the packets so far do not say.
  var hostRole: LinkRole?
  var hostAddress: LinkAddress?
  var peerAddress: LinkAddress?
  /// The adapter of the host; nil: a sniffer has recorded the link.
  var adapter: Int?
  /// When it was made; nil: before the recording began.
  var start: Instant?
  /// Whether the host accepted connections when it was made.
  var beginsConnectable = false
  /// ``CapturedConnection/stopsAdvertising``
  var stopsAdvertising = false
  /// The number of its first packet.
  var firstPacket = 0
  /// The place of its first packet in the file.
  let offset: Int
  let first: Instant
  private(set) var last: Instant
  private var end: CapturedConnection.End?
  private var events: [CapturedEvent] = []
  private var host = Talk()
  private var peer = Talk()

  /// What one end has said.
  fileprivate struct Talk {
    var frames = 0
    var requests = 0
    var responses = 0
    /// How many PDUs suggest that this end is the central.
    var asCentral = 0
  }

  init(_ packet: CapturedPacket) {
    (offset, first, last) = (packet.offset, packet.time, packet.time)
  }
}

extension ObservedLink {
  /// Adds a frame of one of the three channels of LE.
  mutating func add(_ frame: L2CAPFrame, from sender: LinkRole, at time: Instant) {
    let kind: CapturedEvent.Kind
    switch frame.channel {
    case L2CAPFrame.attributeChannel: kind = .attribute(frame.payload, from: sender)
    case L2CAPFrame.signallingChannel: kind = .signalling(frame.payload, from: sender)
    case L2CAPFrame.securityChannel: kind = .security(frame.payload, from: sender)
    default: return
    }
    if sender == .central { host.count(frame) } else { peer.count(frame) }
    add(kind, at: time)
  }

  mutating func add(_ kind: CapturedEvent.Kind, at time: Instant) {
    last = time
    events.append(CapturedEvent(kind, at: time))
  }

  /// - Parameter isConnectable: whether the host still accepts connections.
  mutating func end(at time: Instant, _ reason: HCIError?, by end: LinkRole?, isConnectable: Bool) {
    last = time
    stopsAdvertising = beginsConnectable && !isConnectable
    self.end = CapturedConnection.End(time: time, reason: reason, by: end)
  }
}

extension ObservedLink.Talk {
  fileprivate mutating func count(_ frame: L2CAPFrame) {
    frames += 1
    guard let first = frame.payload.first else { return }
    switch frame.channel {
    case L2CAPFrame.attributeChannel:
      switch AttributeOpcode(rawValue: first).kind {
      case .request: (requests, asCentral) = (requests + 1, asCentral + 1)
      case .response: (responses, asCentral) = (responses + 1, asCentral - 1)
      case .command, .confirmation: asCentral += 1
      case .notification, .indication: asCentral -= 1
      }
    // Connection Parameter Update Request, and its response (Vol 3 Part A 4.20, 4.21)
    case L2CAPFrame.signallingChannel:
      asCentral += first == 0x12 ? -Self.certain : first == 0x13 ? Self.certain : 0
    // Pairing Request, Pairing Response, Security Request (Vol 3 Part H 3.5.1, 3.5.2, 3.6.7)
    default: asCentral += first == 0x01 ? Self.certain : first == 0x02 || first == 0x0B ? -Self.certain : 0
    }
  }

  /// Only one of the ends may send such a PDU, while both may be a GATT client.
  private static let certain = 1_000_000
}

// MARK: - The end of the recording

extension ObservedLink {
  /// A host is a central unless something says otherwise.
  private var role: LinkRole { hostRole ?? (host.asCentral >= peer.asCentral ? .central : .peripheral) }

  /// nil: it is unknown.
  var device: Findings.Device? {
    let address = role == .central ? peerAddress : hostAddress
    return address.map { .known($0) } ?? (role == .peripheral ? adapter.map { .local(adapter: $0) } : nil)
  }

  var connection: CapturedConnection {
    let isCentral = role == .central
    var connection = CapturedConnection(central: isCentral ? hostAddress : peerAddress, start: start)
    connection.events = isCentral ? events : events.map(\.fromTheOtherEnd)
    connection.end = end
    if !isCentral {
      connection.end?.by = end?.by?.other
      connection.stopsAdvertising = stopsAdvertising
    }
    return connection
  }

  /// The end whose packets are not in the recording, although the other's need them: nobody asks twice without a response.
  var missingSide: LinkRole? {
    let missing: LinkRole
    switch (host.frames, peer.frames) {
    case (_, 0) where max(host.requests, host.responses) > 1: missing = role.other
    case (0, _) where max(peer.requests, peer.responses) > 1: missing = role
    default: return nil
    }
    return missing
  }
}

extension CapturedEvent {
  fileprivate var fromTheOtherEnd: Self {
    var event = self
    switch kind {
    case .attribute(let bytes, let sender): event.kind = .attribute(bytes, from: sender.other)
    case .security(let bytes, let sender): event.kind = .security(bytes, from: sender.other)
    case .signalling(let bytes, let sender): event.kind = .signalling(bytes, from: sender.other)
    case .parameters, .encryption, .gap: break
    }
    return event
  }
}
