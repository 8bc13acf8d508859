import Bluetooth
import Framing

/// The signalling channel of one link (Core Specification, Vol 3 Part A 4): Connection Parameter Update both ways, and a refusal
/// of everything else.
struct SignallingChannel: Hashable {
  /// What the host does next.
  enum Action: Hashable {
    case send([UInt8])
    /// The peripheral gets the parameters that it wants.
    case update(PreferredConnectionParameters)
    /// The central keeps the parameters of the link.
    case refused(ParameterRefusal)
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

  /// Asks the central for other parameters. Takes the place of an earlier request.
  mutating func ask(for wanted: PreferredConnectionParameters, at now: Instant) -> [UInt8] {
    lastIdentifier = lastIdentifier == .max ? 1 : lastIdentifier + 1
    request = Request(identifier: lastIdentifier, end: now.advanced(by: Self.patience))
    return SignallingPacket.parameterUpdateRequest(wanted).bytes(lastIdentifier)
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
    case .reject: return conclude(identifier, .notUnderstood)
    case .other(let code, let data):
      return SignallingPacket.refusal(of: code, data).map { [.send($0.bytes(identifier))] } ?? []
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

extension PreferredConnectionParameters {
  /// Whether a link can have such parameters (Vol 4 Part E 7.8.18).
  package var isPossible: Bool {
    Self.possibleIntervals.contains(interval.lowerBound)
      && Self.possibleIntervals.contains(interval.upperBound)
      && Self.possibleLatencies.contains(latency) && Self.possibleTimeouts.contains(supervisionTimeout)
      && Int(supervisionTimeout) >= leastTimeout
  }
}

extension SignallingPacket {
  /// The answer to a command that this side does not take; nil: it needs none.
  static func refusal(of code: UInt8, _ data: [UInt8]) -> SignallingPacket? {
    let noChannel: UInt8 = 0x02  // SPSM not supported (4.23, 4.26)
    switch (code, data.count) {
    // Disconnection Request: the channels of this side and of the peer
    case (0x06, 4):
      return .reject(.invalidChannel(local: UInt16(data[0], data[1]), remote: UInt16(data[2], data[3])))
    // LE Credit Based Connection Request: channel, MTU, MPS, credits, result
    case (0x14, 10): return .other(code: 0x15, data: [0, 0, 0, 0, 0, 0, 0, 0, noChannel, 0])
    // Credit Based Connection Request of up to five channels: MTU, MPS, credits, result, channels
    case (0x17, 10...18):
      let channels = [UInt8](repeating: 0, count: data.count - 8)
      return .other(code: 0x18, data: [0, 0, 0, 0, 0, 0, noChannel, 0] + channels)
    // Responses, and LE Flow Control Credit of a channel that there is not
    case (0x03, _), (0x05, _), (0x07, _), (0x09, _), (0x0B, _), (0x13, _), (0x15, _), (0x16, _), (0x18, _),
      (0x1A, _):
      return nil
    default: return .reject(.notUnderstood)
    }
  }
}
