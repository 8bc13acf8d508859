import Bluetooth
import DeviceModel

/// Finds what BlueZ does not do with pairing as the definition wants it, and what it does not tell of it.
struct SecurityCheck {
  private let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  var findings: [Finding] { settings + definition.rules.enumerated().flatMap(findings) }

  private var settings: [Finding] {
    guard let policy = definition.pairing, policy.isAllowed else { return [] }
    var findings: [Finding] = []
    if policy.secureConnections != .allowed {
      findings.append(
        Finding(
          .note, "BlueZ uses LE Secure Connections whenever the central does",
          at: .security(key: "secure-connections"), hint: "--on exact does as the definition says"))
    }
    if policy.requestsSecurity {
      findings.append(
        Finding(
          .note, "BlueZ does not ask centrals for encryption", at: .security(key: "request"),
          hint: "--on exact does"))
    }
    return findings
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
