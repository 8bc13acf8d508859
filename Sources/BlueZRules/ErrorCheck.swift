import Bluetooth
import Definitions
import DeviceModel

/// Whether the errors that rules refuse with come to centrals as they are.
struct ErrorCheck {
  let file: ReadDefinition
  let log: DiagnosticLog

  func run() {
    for (node, rule) in zip(file.rules, file.definition.rules) {
      for place in node.actionsBelow.compactMap({ $0["refuse"] }) {
        if let error = place.text.flatMap({ ATTError(named: $0) }) { checkIsSent(error, at: place, of: rule) }
      }
    }
  }

  /// Whether the error comes through BlueZ to the central as it is.
  private func checkIsSent(_ error: ATTError, at node: YAMLNode, of rule: Rule) {
    for case .written(let index) in rule.triggers {
      let characteristic = file.definition.characteristics[index]
      guard characteristic.properties.isSuperset(of: [.write, .writeWithoutResponse]) else { continue }
      return log.warn(
        "no central gets this error: BlueZ answers every write to '\(characteristic.id)' by itself",
        at: node.range, hint: "because it has both write and write-without-response; keep one of them")
    }
    let isRead = rule.triggers.contains { if case .read = $0 { true } else { false } }
    let sent = error.throughBlueZ(onRead: isRead)
    if sent != error {
      log.warn(
        "BlueZ cannot send \(error): the central gets \(sent)", at: node.range,
        hint: "it sends 02 or 03, 06, 07, 08, 0D, 0E, 80 to 9F, FD, FE")
    }
  }
}

extension ATTError {
  /// What a central gets where a device on BlueZ refuses with this (bluez: src/gatt-database.c,
  /// `dbus_error_to_att_ecode`).
  package func throughBlueZ(onRead isRead: Bool) -> ATTError {
    switch self {
    case .readNotPermitted, .writeNotPermitted: isRead ? .readNotPermitted : .writeNotPermitted
    case .requestNotSupported, .invalidOffset, .insufficientAuthorization, .invalidAttributeValueLength,
      .cccdImproperlyConfigured, .procedureAlreadyInProgress:
      self
    default: isApplicationError ? self : .unlikelyError
    }
  }
}
