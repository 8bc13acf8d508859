/// How two devices authenticate each other while they pair (Core Specification, Vol 3 Part H 2.3.5.1).
package enum AssociationModel: Hashable, Sendable {
  /// Not at all.
  case justWorks
  /// The peripheral shows a passkey, which somebody enters at the central.
  case passkeyShownByPeripheral
  /// The central shows a passkey, which somebody enters at the peripheral.
  case passkeyShownByCentral
  /// Somebody enters the same passkey at both.
  case passkeyEnteredAtBoth
  /// Both show a number, which somebody compares.
  case numericComparison
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

  /// Whether somebody enters a passkey.
  package var hasPasskey: Bool { self != .justWorks && self != .numericComparison }
}
