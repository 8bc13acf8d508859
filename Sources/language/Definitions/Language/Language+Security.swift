import Bluetooth
import DeviceModel

extension Language {
  struct Security: LanguageObject {
    static let outline = Outline("a security section", Self()) {
      [
        $0.condition, $0.pairing, $0.capability, $0.passkey, $0.secureConnections, $0.requirement, $0.bonding,
        $0.bonds, $0.whenFull, $0.keySize, $0.request,
      ]
    }

    let condition = Key.optional(
      "if", .text(.expression), "while this is false, the device pairs as the system is set up")
    let pairing = Key.optional("pairing", .text(.expression), "whether it pairs; true by default")
    let capability = Key.optional(
      "io-capability", .choice(IOCapability.allCases.map(\.name), or: .expression),
      "its display and keyboard for a passkey; no-input-no-output by default: it pairs by Just Works")
    let passkey = Key.optional(
      "passkey", .text(.template), "six digits: those entered on its keyboard, or those it shows in memory")
    let secureConnections = Key.optional(
      "secure-connections",
      .choice(PairingPolicy.SecureConnections.allCases.map(\.rawValue), or: .expression),
      "LE Secure Connections: allowed (the default), required, or never, which leaves LE legacy pairing")
    let requirement = Key.optional(
      "require", .choice(PairingTemplate.Requirement.allCases.map(\.rawValue), or: .expression),
      "encrypted (the default), or authenticated: then it does not pair by Just Works")
    let bonding = Key.optional("bonding", .text(.expression), "whether it keeps the keys; true by default")
    let bonds = Key.optional(
      "bonds", .text(.expression),
      "how many centrals it is bonded with at most, 1 to 255; any number by default")
    let whenFull = Key.optional(
      "when-full", .choice(PairingTemplate.FullUse.allCases.map(\.rawValue), or: .expression),
      "with so many bonds: refuse a further central (the default), or forget the oldest bond")
    let keySize = Key.optional(
      "key-size", .either(.expression, KeySize.self),
      "the shortest encryption key that it accepts, 7 to 16 bytes; 7 by default")
    let request = Key.optional(
      "request", .text(.expression), "whether it asks each central for encryption; false by default")
  }

  struct KeySize: LanguageObject {
    static let outline = Outline("a key size", Self()) { [$0.min, $0.max] }

    let min = Key.optional(
      "min", .text(.expression), "the shortest encryption key that it accepts, in bytes; 7 by default")
    let max = Key.optional("max", .text(.expression), "the longest key that it can, in bytes; 16 by default")
  }
}
