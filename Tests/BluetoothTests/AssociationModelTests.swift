import Testing

@testable import Bluetooth

@Suite struct AssociationModelTests {
  /// Core Specification, Vol 3 Part H 2.3.5.1, Table 2.8: a row for each peripheral, a column for each central, in the order
  /// of the capabilities. `J` is Just Works, `P` and `C` a passkey that the peripheral or the central shows, `B` one that is
  /// entered at both, `N` Numeric Comparison; after `/` with LE Secure Connections.
  private static let table: [(peripheral: IOCapability, row: String)] = [
    (.displayOnly, "J J P J P"),
    (.displayYesNo, "J J/N P J P/N"),
    (.keyboardOnly, "C C B J C"),
    (.noInputNoOutput, "J J J J J"),
    (.keyboardDisplay, "C C/N P J C/N"),
  ]

  private static let models: [Character: AssociationModel] = [
    "J": .justWorks, "P": .passkeyShownByPeripheral, "C": .passkeyShownByCentral,
    "B": .passkeyEnteredAtBoth, "N": .numericComparison,
  ]

  @Test(arguments: table, [false, true])
  func `the capabilities decide`(peripheral: (IOCapability, row: String), isSecure: Bool) {
    for (central, cell) in zip(IOCapability.allCases, peripheral.row.split(separator: " ")) {
      let model = AssociationModel(
        central: central, peripheral: peripheral.0, comparesNumbers: isSecure)
      #expect(model == Self.models[isSecure ? cell.last! : cell.first!], "\(central)")
    }
  }

  @Test(arguments: [
    (AssociationModel.justWorks, false), (.passkeyShownByPeripheral, true), (.passkeyShownByCentral, true),
    (.passkeyEnteredAtBoth, true), (.numericComparison, false),
  ])
  func `a model has a passkey or not`(model: AssociationModel, hasPasskey: Bool) {
    #expect(model.hasPasskey == hasPasskey)
  }
}

@Suite struct PairingFailureTests {
  @Test func `each reason of the specification has a name`() {
    #expect(PairingFailure.allNames.first == "passkey-entry-failed")
    #expect(PairingFailure.allNames.count == 12)
    for name in PairingFailure.allNames { #expect(PairingFailure(named: name)?.name == name) }
    #expect(PairingFailure(named: PairingFailure.unknown.name) == nil)
  }
}
