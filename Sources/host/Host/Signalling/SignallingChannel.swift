import Bluetooth
import Framing

/// The signalling channel of one link (Core Specification, Vol 3 Part A 4): Connection Parameter Update both ways; the
/// commands of credit-based channels for the host; and a refusal of everything else.
struct SignallingChannel: Hashable {
  /// What the host does next.
  enum Action: Hashable {
    case send([UInt8])
    /// The peripheral gets the parameters that it wants.
    case update(PreferredConnectionParameters)
    /// The central keeps the parameters of the link.
    case refused(ParameterRefusal)
    /// A command concerns the channels of the link.
    case channel(SignallingPacket, identifier: UInt8)
  }

  /// How long a peer may take to answer (RTX, 6.2.1): 1 to 60 s.
  static let patience = Duration.seconds(30)

  private struct Request: Hashable {
    var identifier: UInt8
    var end: Instant
  }

  private var request: Request?
  private var lastIdentifier: UInt8 = 0

  /// When ``expire(at:)`` is due.
  var deadline: Instant? { request?.end }

  /// The identifier of the next command of this side (4): 1 to 255.
  mutating func nextIdentifier() -> UInt8 {
    lastIdentifier = lastIdentifier == .max ? 1 : lastIdentifier + 1
    return lastIdentifier
  }

  /// Asks the central for other parameters. Takes the place of an earlier request.
  mutating func ask(for wanted: PreferredConnectionParameters, at now: Instant) -> [UInt8] {
    let identifier = nextIdentifier()
    request = Request(identifier: identifier, end: now.advanced(by: Self.patience))
    return SignallingPacket.parameterUpdateRequest(wanted).bytes(identifier)
  }

  mutating func expire(at now: Instant) -> [Action] {
    guard let request, request.end <= now else { return [] }
    self.request = nil
    return [.refused(.noAnswer)]
  }

  /// Takes a frame of the peer. One that is not a whole command is ignored, as Linux does.
  mutating func receive(_ frame: [UInt8], isCentral: Bool) -> [Action] {
    guard let (identifier, packet) = SignallingPacket.read(frame), identifier != 0 else { return [] }
    guard frame.count <= SignallingPacket.mtu else {
      return [.send(SignallingPacket.reject(.tooLong(mtu: UInt16(SignallingPacket.mtu))).bytes(identifier))]
    }
    switch packet {
    case .parameterUpdateRequest(let wanted) where isCentral: return answer(wanted, identifier)
    case .parameterUpdateRequest: return [.send(SignallingPacket.reject(.notUnderstood).bytes(identifier))]
    case .parameterUpdateResponse(let isAccepted):
      return conclude(identifier, isAccepted ? nil : .rejected)
    case .reject where request?.identifier == identifier: return conclude(identifier, .notUnderstood)
    case .reject, .channelRequest, .channelResponse, .credit, .disconnectionRequest, .disconnectionResponse:
      return [.channel(packet, identifier: identifier)]
    case .other(let code, _):
      return SignallingPacket.refusal(of: code).map { [.send($0.bytes(identifier))] } ?? []
    }
  }

  private func answer(_ wanted: PreferredConnectionParameters, _ identifier: UInt8) -> [Action] {
    let response = SignallingPacket.parameterUpdateResponse(isAccepted: wanted.isPossible)
    return [.send(response.bytes(identifier))] + (wanted.isPossible ? [.update(wanted)] : [])
  }

  private mutating func conclude(_ identifier: UInt8, _ refusal: ParameterRefusal?) -> [Action] {
    guard request?.identifier == identifier else { return [] }
    request = nil
    return refusal.map { [.refused($0)] } ?? []
  }
}

extension SignallingPacket {
  /// The answer to a command that this side does not take; nil: it needs none.
  static func refusal(of code: UInt8) -> SignallingPacket? {
    switch code {
    // Responses of other lengths, and those to commands that this side does not send
    case 0x03, 0x05, 0x07, 0x09, 0x0B, 0x13, 0x15, 0x16, 0x18, 0x1A: return nil
    default: return .reject(.notUnderstood)
    }
  }
}
