import Bluetooth

/// One PDU of the Security Manager Protocol (Core Specification, Vol 3 Part H 3.3).
package enum SecurityPDU: Hashable, Sendable {
  case pairingRequest(PairingFeatures)
  case pairingResponse(PairingFeatures)
  /// 16 bytes.
  case pairingConfirm([UInt8])
  /// 16 bytes.
  case pairingRandom([UInt8])
  /// A reason without a name is ``PairingFailure/unknown``.
  case pairingFailed(PairingFailure)
  /// A long-term key, 16 bytes.
  case encryptionInformation([UInt8])
  /// - Parameter rand: 8 bytes.
  case centralIdentification(ediv: UInt16, rand: [UInt8])
  /// An identity resolving key, 16 bytes; only zeros: the device has none.
  case identityInformation([UInt8])
  case identityAddressInformation(LinkAddress)
  /// A connection signature resolving key, 16 bytes.
  case signingInformation([UInt8])
  case securityRequest(AuthenticationRequirements)
  /// The coordinates of a point that may not be on the curve, 32 bytes each, least significant first.
  case pairingPublicKey(x: [UInt8], y: [UInt8])
  /// 16 bytes.
  case pairingDHKeyCheck([UInt8])
  /// What a person does at a keyboard: 0 to 4.
  case pairingKeypressNotification(UInt8)
}

/// The first byte of a PDU, which tells its kind (Table 3.3).
package enum SecurityCode: UInt8, CaseIterable, Sendable {
  case pairingRequest = 0x01
  case pairingResponse
  case pairingConfirm
  case pairingRandom
  case pairingFailed
  case encryptionInformation
  case centralIdentification
  case identityInformation
  case identityAddressInformation
  case signingInformation
  case securityRequest
  case pairingPublicKey
  case pairingDHKeyCheck
  case pairingKeypressNotification

  /// The bytes after the code.
  package var parametersSize: Int {
    switch self {
    case .pairingRequest, .pairingResponse: PairingFeatures.size
    case .pairingConfirm, .pairingRandom, .encryptionInformation, .identityInformation, .signingInformation,
      .pairingDHKeyCheck:
      16
    case .pairingFailed, .securityRequest, .pairingKeypressNotification: 1
    case .centralIdentification: 10
    case .identityAddressInformation: 7
    case .pairingPublicKey: 64
    }
  }
}
