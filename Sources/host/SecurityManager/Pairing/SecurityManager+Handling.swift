import Bluetooth

extension SecurityManager {
  /// - Throws: why the pairing ends; Unspecified Reason for a PDU that does not come now.
  mutating func handle(_ pdu: SecurityPDU?) throws(PairingFailure) {
    switch (pdu, state) {
    case (nil, _), (.pairingKeypressNotification, _): break
    case (.pairingFailed(let reason), _): peerFailed(reason)
    case (.pairingRequest(let request), _): try respond(to: request)
    case (.securityRequest(let requirements), _): try hear(requirements)
    case (.pairingResponse(let response), .requested(let request)) where link.role == .central:
      try take(response, to: request)
    case (.pairingResponse, _) where link.role == .peripheral: throw .commandNotSupported
    case (let pdu?, .legacy(let agreement, let step)): try handle(pdu, agreement, step)
    case (let pdu?, .secure(let agreement, let step)): try handle(pdu, agreement, step)
    case (let pdu?, .distributing(let distribution)): try take(pdu, distribution)
    default: throw .unspecifiedReason
    }
  }

  private mutating func peerFailed(_ reason: PairingFailure) {
    if case .securityRequested = state {
      state = .idle
      actions.append(.failed(reason, by: .peer))
    } else {
      end(reason, by: .peer)
    }
  }
}

extension SecurityPDU {
  /// - Returns: nil for a reserved code, which is ignored (Vol 3 Part H 3.3).
  static func read(_ packet: [UInt8]) throws(PairingFailure) -> SecurityPDU? {
    do throws(DecodingError) {
      return try SecurityPDU(packet)
    } catch {
      if case .unknownCode = error { return nil }
      throw .invalidParameters
    }
  }
}
