import Bluetooth
import Framing

/// One end of a link, in a controller.
struct LinkEnd: Sendable {
  enum Role: UInt8, Sendable { case central, peripheral }

  let handle: UInt16
  /// The number of the link on the air.
  let link: Int
  let role: Role
  let peer: LinkAddress
  var parameters: ConnectionParameters
  var phys: Directions<UInt8>
  /// The longest packets that this side wants to send.
  var wantedOctets: UInt16
  var octets = LengthLimits(sent: 27, received: 27)
  var features: ControllerTraits.Features?
  /// Version, company, subversion of the peer.
  var version: [UInt8]?
  var hasSentVersion = false

  var queue: [LinkPDU] = []
  /// ACL data packets of the host that are not completed, and those that are and of which the host does not know.
  var (heldPacketCount, completedPacketCount) = (0, 0)
  /// Whether a continuation may follow.
  var hasBegunFrame = false
  var isEnding = false
  /// The signal of the peer, in dBm.
  var rssi: Int8 = 127

  /// The procedure that this side has begun. Others wait for its end (Vol 6 Part B 5.3).
  var procedure: Procedure?
  var waiting: [Procedure] = []
  /// When the peer must have answered (5.2).
  var deadline: Instant?

  /// The key of an encrypted link.
  var key: [UInt8]?
  var start = EncryptionStart.none
  /// Data waits while encryption starts.
  var holdsData = false
  /// The central asks its host whether it takes the parameters that the peripheral wants.
  var awaitsParameters = false

  init(
    _ handle: UInt16, link: Int, role: Role, peer: LinkAddress, parameters: ConnectionParameters, phy: UInt8,
    wantedOctets: UInt16
  ) {
    (self.handle, self.link, self.role, self.peer) = (handle, link, role, peer)
    (self.parameters, self.wantedOctets) = (parameters, wantedOctets)
    phys = Directions(sent: phy, received: phy)
  }
}

/// What a link layer does with that of the peer (Vol 6 Part B 5.1).
enum Procedure: Sendable {
  case version
  case features
  case dataLength
  case phys(Directions<UInt8>)
  /// The central's update.
  case update(ConnectionParameters)
  /// The peripheral's request.
  case parameters(PreferredConnectionParameters)
  case encryption(random: [UInt8], diversifier: UInt16, key: [UInt8])
}

/// How far the peripheral is in starting encryption.
enum EncryptionStart: Sendable {
  case none
  /// The host looks for the key.
  case awaitsKey
  /// The first encrypted packet of the central is to come.
  case awaitsResponse(key: [UInt8])
}

extension LinkEnd {
  /// The time that a packet of so many bytes takes on LE 1M, in microseconds (Vol 6 Part B 4.5.10).
  static func time(_ octets: UInt16) -> UInt16 { (octets + 14) * 8 }

  /// Whether it has something to send now.
  var isBusy: Bool { queue.contains { !holdsData || !$0.isData } }

  /// Takes the next packet to send.
  mutating func nextPDU() -> LinkPDU? {
    guard let index = queue.firstIndex(where: { !holdsData || !$0.isData }) else { return nil }
    let pdu = queue.remove(at: index)
    switch pdu {
    case .encryptionRequest, .encryptionResponse: holdsData = true
    case .reject(.keyMissing): holdsData = false
    case .startResponse: holdsData = role == .central
    default: break
    }
    return pdu
  }
}
