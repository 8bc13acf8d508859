import Bluetooth
import DeviceModel

/// Finds where BlueZ does not pair as the definition asks, and the events of pairing that it does not report.
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
          at: .security(key: "secure-connections"), hint: "--on exact follows the definition"))
    }
    if policies.contains(where: { $0.mostBonds != nil }) {
      findings.append(
        Finding(
          .note, "bluetoothd keeps the bonds, however many", at: .security(key: "bonds"),
          hint: "--on exact follows the definition"))
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
          hint: "--on exact follows the definition"))
    }
    if policies.contains(where: { $0.maximumKeySize < 16 }) {
      findings.append(
        Finding(
          .note, "BlueZ agrees on encryption keys of 16 bytes", at: .security(key: "key-size"),
          hint: "--on exact follows the definition"))
    }
    return findings
  }

  /// Attributes that require a longer key than others.
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
          .note, "BlueZ also serves this attribute on links with keys of 7 bytes", at: $0,
          hint: "--on exact follows the definition")
      }
    }
  }

  private func findings(ofRule number: Int, _ rule: Rule) -> [Finding] {
    var findings: [Finding] = []
    if rule.triggers.contains(.encrypted) {
      findings.append(
        Finding(
          .warning, "the rule never fires: BlueZ does not report when a link is encrypted",
          at: .event(ofRule: number), hint: "wait for 'paired' or 'bonded', or use --on exact"))
    }
    if rule.triggers.contains(.encryptionFailed) {
      findings.append(
        Finding(
          .warning, "the rule never fires: BlueZ does not report that a link could not be encrypted",
          at: .event(ofRule: number), hint: "--on exact does"))
    }
    if rule.triggers.contains(.pairingFailed) {
      findings.append(
        Finding(
          .note,
          "BlueZ reports only the pairings that this device itself refuses, and wrong passkeys",
          at: .event(ofRule: number), hint: "--on exact reports every failure"))
    }
    return findings
  }
}
