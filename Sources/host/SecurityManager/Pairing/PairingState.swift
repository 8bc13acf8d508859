import Bluetooth
import Cryptography

/// How far a pairing has come.
enum PairingState: Hashable, Sendable {
  case idle
  /// The peripheral has sent a Security Request, and the central has not begun.
  case securityRequested
  /// The central has sent a Pairing Request with these features, and the peripheral has not answered.
  case requested(PairingFeatures)
  case legacy(PairingAgreement, LegacyStep)
  case secure(PairingAgreement, SecureStep)
  /// Both devices have the key, and the link is not yet encrypted with it.
  case encrypting(PairingAgreement, LongTermKey)
  case distributing(KeyDistribution)
  /// The time of a pairing was over.
  case closed

  var isPairing: Bool {
    switch self {
    case .idle, .securityRequested, .closed: false
    case .requested, .legacy, .secure, .encrypting, .distributing: true
    }
  }
}

/// How far the authentication of LE legacy pairing has come (Core Specification, Vol 3 Part H 2.3.5.5).
enum LegacyStep: Hashable, Sendable {
  /// A person has not entered the passkey. The central may have sent its confirm value.
  case passkey(peerConfirm: [UInt8]?)
  /// The peer has not sent its confirm value.
  case confirm(LegacySecret)
  /// The peer has not sent its random value.
  case random(LegacySecret, peerConfirm: [UInt8])
}

struct LegacySecret: Hashable, Sendable {
  /// 16 bytes.
  let temporaryKey: [UInt8]
  /// This device's random value, 16 bytes.
  let random: [UInt8]
}

/// How far the authentication of LE Secure Connections has come (2.3.5.6).
enum SecureStep: Hashable, Sendable {
  /// The peer has not sent its public key.
  case publicKey(P256.PrivateKey)
  /// A person has not entered the passkey. The central may have sent its first confirm value.
  case passkey(SecureKeys, peerConfirm: [UInt8]?)
  /// The peer has not sent its confirm value.
  case confirm(SecureKeys, SecureRound)
  /// The peer has not sent its random value.
  ///
  /// - Parameter peerConfirm: nil: this model has none.
  case random(SecureKeys, SecureRound, peerConfirm: [UInt8]?)
  /// A person has not compared the numbers. The central may have sent its DHKey check.
  case comparison(SecureKeys, RandomValues, peerCheck: [UInt8]?)
  /// The peer has not sent its DHKey check.
  case check(DHKeyCheck)
}

/// What both devices know after they have exchanged their public keys. All values are as on the air.
struct SecureKeys: Hashable, Sendable {
  let ownX: [UInt8]
  let peerX: [UInt8]
  /// The DHKey.
  let secret: [UInt8]
  /// Whether one of the key pairs is the one that everyone knows.
  let isDebug: Bool
}

/// One round of confirm and random values: a passkey takes 20, other models one.
struct SecureRound: Hashable, Sendable {
  /// nil: the model has none.
  let passkey: UInt32?
  /// From 0.
  var number = 0
  /// This device's random value, 16 bytes.
  var random: [UInt8]

  static let countOfPasskey = 20

  var isLast: Bool { passkey == nil || number == Self.countOfPasskey - 1 }

  /// The bit of the passkey that the confirm values of this round cover (2.3.5.6.3).
  var bit: UInt8 { passkey.map { UInt8($0 >> UInt32(number) & 1) | 0x80 } ?? 0 }
}

/// The random values of the last round, 16 bytes each.
struct RandomValues: Hashable, Sendable {
  let own: [UInt8]
  let peer: [UInt8]
}
