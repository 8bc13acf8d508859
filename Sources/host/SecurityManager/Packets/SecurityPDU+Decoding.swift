import Bluetooth

extension SecurityPDU {
  /// Why bytes are not a PDU.
  package enum DecodingError: Error, Hashable, Sendable {
    case empty
    /// A code that the specification reserves.
    case unknownCode(UInt8)
    /// The number is the count of all bytes.
    case wrongLength(SecurityCode, Int)
    /// A parameter has a value that the specification reserves.
    case invalidParameter(SecurityCode)
  }

  /// Reads a whole PDU; nothing may follow it.
  package init(_ bytes: [UInt8]) throws(DecodingError) {
    guard let first = bytes.first else { throw .empty }
    guard let code = SecurityCode(rawValue: first) else { throw .unknownCode(first) }
    guard bytes.count == 1 + code.parametersSize else { throw .wrongLength(code, bytes.count) }
    guard let pdu = Self(code, Array(bytes.dropFirst())) else { throw .invalidParameter(code) }
    self = pdu
  }

  /// - Returns: nil for a reserved code, which is ignored (Vol 3 Part H 3.3).
  static func read(_ packet: [UInt8]) throws(PairingFailure) -> SecurityPDU? {
    do throws(DecodingError) {
      return try SecurityPDU(packet)
    } catch {
      if case .unknownCode = error { return nil }
      throw .invalidParameters
    }
  }

  /// - Parameter bytes: as many as the code has.
  private init?(_ code: SecurityCode, _ bytes: [UInt8]) {
    switch code {
    case .pairingRequest, .pairingResponse:
      guard let features = PairingFeatures(bytes) else { return nil }
      self = code == .pairingRequest ? .pairingRequest(features) : .pairingResponse(features)
    case .pairingConfirm: self = .pairingConfirm(bytes)
    case .pairingRandom: self = .pairingRandom(bytes)
    case .pairingFailed: self = .pairingFailed(PairingFailure(onAir: bytes[0]))
    case .encryptionInformation: self = .encryptionInformation(bytes)
    case .centralIdentification:
      self = .centralIdentification(ediv: UInt16(bytes[0], bytes[1]), rand: Array(bytes.suffix(8)))
    case .identityInformation: self = .identityInformation(bytes)
    case .identityAddressInformation:
      guard let address = LinkAddress(identity: bytes) else { return nil }
      self = .identityAddressInformation(address)
    case .signingInformation: self = .signingInformation(bytes)
    case .securityRequest: self = .securityRequest(AuthenticationRequirements(rawValue: bytes[0]))
    case .pairingPublicKey: self = .pairingPublicKey(x: Array(bytes.prefix(32)), y: Array(bytes.suffix(32)))
    case .pairingDHKeyCheck: self = .pairingDHKeyCheck(bytes)
    case .pairingKeypressNotification:
      guard bytes[0] <= 4 else { return nil }
      self = .pairingKeypressNotification(bytes[0])
    }
  }
}

extension PairingFailure {
  fileprivate init(onAir reason: UInt8) {
    self = Self.specified.first { $0.rawValue == reason } ?? .unknown
  }
}

extension LinkAddress {
  /// A public or static random address (Vol 3 Part H 3.6.5).
  fileprivate init?(identity bytes: [UInt8]) {
    guard bytes[0] <= 1, let address = DeviceAddress(littleEndianBytes: bytes.dropFirst()),
      bytes[0] == 0 || bytes[6] >= 0xC0
    else { return nil }
    self.init(address, bytes[0] == 0 ? .public : .random)
  }
}
