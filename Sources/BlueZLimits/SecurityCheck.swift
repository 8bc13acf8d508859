import DeviceModel

/// Finds what BlueZ does not do with pairing as the definition wants it.
struct SecurityCheck {
  private let definition: PeripheralDefinition

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  var findings: [Finding] {
    guard definition.pairing != nil else { return [] }
    return [
      Finding(
        .note, "BlueZ pairs as it is set up, with the agent of the desktop or of bluetoothctl", at: .security,
        hint: "--on exact pairs as the definition says")
    ]
  }
}
