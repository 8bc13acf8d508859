import Bluetooth

extension Finding {
  /// What a transport cannot do whose pairing is the kernel's: `smp.c` of Linux draws the passkeys that a device shows.
  package static func shownPasskey(of definition: PeripheralDefinition) -> [Finding] {
    let isShown = definition.possiblePairings.contains {
      $0.isAllowed && $0.passkey != nil && $0.capability.hasDisplay && !$0.capability.hasKeyboard
    }
    guard isShown else { return [] }
    return [
      Finding(
        .note, "Linux draws the passkey that the device shows at random", at: .security(key: "passkey"),
        hint: "the log shows it; in memory it is this one")
    ]
  }
}
