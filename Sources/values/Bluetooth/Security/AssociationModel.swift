/// How two devices authenticate each other while they pair (Core Specification, Vol 3 Part H 2.3.5.1).
package enum AssociationModel: Hashable, Sendable {
  /// They do not authenticate each other.
  case justWorks
  /// The peripheral shows a passkey, and a person enters it at the central.
  case passkeyShownByPeripheral
  /// The central shows a passkey, and a person enters it at the peripheral.
  case passkeyShownByCentral
  /// A person enters the same passkey at both.
  case passkeyEnteredAtBoth
  /// Both show a number, and a person compares the two.
  case numericComparison
  /// At least one has got a secret of the other by another way than Bluetooth.
  case outOfBand
}

extension AssociationModel {
  /// Chooses the model for two devices of which at least one insists on authentication where it is possible (Vol 3 Part H
  /// 2.3.5.1, Table 2.8).
  ///
  /// - Parameter comparesNumbers: whether they pair by LE Secure Connections.
  package init(central: IOCapability, peripheral: IOCapability, comparesNumbers: Bool) {
    self =
      switch (central, peripheral) {
      case (.noInputNoOutput, _), (_, .noInputNoOutput): .justWorks
      case (.keyboardOnly, .keyboardOnly): .passkeyEnteredAtBoth
      case (.keyboardOnly, _): .passkeyShownByPeripheral
      case (_, .keyboardOnly): .passkeyShownByCentral
      case (.displayYesNo, .displayYesNo): comparesNumbers ? .numericComparison : .justWorks
      case (.keyboardDisplay, .displayYesNo):
        comparesNumbers ? .numericComparison : .passkeyShownByPeripheral
      case (.displayYesNo, .keyboardDisplay), (.keyboardDisplay, .keyboardDisplay):
        comparesNumbers ? .numericComparison : .passkeyShownByCentral
      case (.keyboardDisplay, .displayOnly): .passkeyShownByPeripheral
      case (.displayOnly, .keyboardDisplay): .passkeyShownByCentral
      case (.displayOnly, .displayOnly), (.displayOnly, .displayYesNo), (.displayYesNo, .displayOnly):
        .justWorks
      }
  }

  /// Whether a person enters a passkey.
  package var hasPasskey: Bool {
    switch self {
    case .passkeyShownByPeripheral, .passkeyShownByCentral, .passkeyEnteredAtBoth: true
    case .justWorks, .numericComparison, .outOfBand: false
    }
  }
}
