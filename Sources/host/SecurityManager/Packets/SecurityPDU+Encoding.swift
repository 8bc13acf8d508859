import Bluetooth

extension SecurityPDU {
  package var code: SecurityCode {
    switch self {
    case .pairingRequest: .pairingRequest
    case .pairingResponse: .pairingResponse
    case .pairingConfirm: .pairingConfirm
    case .pairingRandom: .pairingRandom
    case .pairingFailed: .pairingFailed
    case .encryptionInformation: .encryptionInformation
    case .centralIdentification: .centralIdentification
    case .identityInformation: .identityInformation
    case .identityAddressInformation: .identityAddressInformation
    case .signingInformation: .signingInformation
    case .securityRequest: .securityRequest
    case .pairingPublicKey: .pairingPublicKey
    case .pairingDHKeyCheck: .pairingDHKeyCheck
    case .pairingKeypressNotification: .pairingKeypressNotification
    }
  }

  /// The whole PDU.
  package var bytes: [UInt8] { [code.rawValue] + parameters }

  private var parameters: [UInt8] {
    switch self {
    case .pairingRequest(let features), .pairingResponse(let features): features.bytes
    case .pairingConfirm(let value), .pairingRandom(let value), .pairingDHKeyCheck(let value): value
    case .encryptionInformation(let key), .identityInformation(let key), .signingInformation(let key): key
    case .pairingFailed(let reason): [reason.rawValue]
    case .centralIdentification(let ediv, let rand): ediv.littleEndianBytes + rand
    case .identityAddressInformation(let address):
      [address.typeByte] + address.address.littleEndianBytes
    case .securityRequest(let requirements): [requirements.rawValue]
    case .pairingPublicKey(let x, let y): x + y
    case .pairingKeypressNotification(let kind): [kind]
    }
  }
}
