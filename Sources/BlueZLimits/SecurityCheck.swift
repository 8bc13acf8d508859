import Bluetooth
import DeviceModel

/// Finds what BlueZ does not do with pairing as the definition wants it.
struct SecurityCheck {
  private let policy: PairingPolicy?

  init(_ definition: PeripheralDefinition) {
    policy = definition.pairing
  }

  var findings: [Finding] {
    guard let policy else { return [] }
    var findings: [Finding] = []
    if policy.secureConnections != .allowed {
      findings.append(
        note("LE Secure Connections are a matter of the whole adapter", at: "secure-connections"))
    }
    if !policy.bonds {
      findings.append(note("BlueZ keeps the keys of every pairing", at: "bonding"))
    }
    if policy.requestsSecurity {
      findings.append(note("BlueZ does not ask centrals for encryption", at: "request"))
    }
    return findings
  }

  private func note(_ message: String, at key: String) -> Finding {
    Finding(.note, message, at: .security(key: key), hint: "--on exact does")
  }
}
