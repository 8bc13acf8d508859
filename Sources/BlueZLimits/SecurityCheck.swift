import Bluetooth
import DeviceModel

/// Finds what BlueZ does not do with pairing as the definition wants it, and what it does not tell of it.
struct SecurityCheck {
  private let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  var findings: [Finding] {
    Finding.shownPasskey(of: definition) + Finding.announcedBonding(of: definition) + settings + keySizes
      + definition.rules.enumerated().flatMap(findings)
  }

  private var settings: [Finding] {
    let policies = definition.possiblePairings.filter(\.isAllowed)
    var findings: [Finding] = []
    if policies.contains(where: { $0.secureConnections != .allowed }) {
      findings.append(
        Finding(
          .note, "BlueZ uses LE Secure Connections whenever the central does",
          at: .security(key: "secure-connections"), hint: "--on exact does as the definition says"))
    }
    if policies.contains(where: \.requestsSecurity) {
      findings.append(
        Finding(
          .note, "BlueZ does not ask centrals for encryption", at: .security(key: "request"),
          hint: "--on exact does"))
    }
    if policies.contains(where: { $0.minimumKeySize > 7 }) {
      findings.append(
        Finding(
          .note, "BlueZ accepts encryption keys of 7 bytes", at: .security(key: "key-size"),
          hint: "--on exact does as the definition says"))
    }
    return findings
  }

  /// Attributes that ask for a longer key than others.
  private var keySizes: [Finding] {
    definition.characteristics.enumerated().flatMap { index, characteristic in
      let own: [DefinitionPlace] = characteristic.keySize > 7 ? [.characteristic(index)] : []
      let places =
        own
        + characteristic.descriptors.indices.filter { characteristic.descriptors[$0].keySize > 7 }.map {
          .descriptor($0, of: index)
        }
      return places.map {
        Finding(
          .note, "BlueZ serves this one on links with keys of 7 bytes, too", at: $0,
          hint: "--on exact does as the definition says")
      }
    }
  }

  private func findings(ofRule number: Int, _ rule: Rule) -> [Finding] {
    var findings: [Finding] = []
    if rule.triggers.contains(.encrypted) {
      findings.append(
        Finding(
          .warning, "the rule never fires: BlueZ does not tell when a link is encrypted",
          at: .event(ofRule: number), hint: "wait for 'paired' or 'bonded', or use --on exact"))
    }
    if rule.triggers.contains(.pairingFailed) {
      findings.append(
        Finding(
          .note,
          "BlueZ tells only of pairings that this device refuses by itself, and of a passkey that is entered wrong",
          at: .event(ofRule: number), hint: "--on exact tells of every failure"))
    }
    return findings
  }
}
