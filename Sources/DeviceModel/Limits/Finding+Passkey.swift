import Bluetooth

extension Finding {
  /// A limit of transports that leave pairing to the kernel: `smp.c` of Linux chooses the passkeys that a device shows.
  package static func shownPasskey(of definition: PeripheralDefinition) -> [Finding] {
    let isShown = definition.possiblePairings.contains {
      $0.isAllowed && $0.passkey != nil && $0.capability.hasDisplay && !$0.capability.hasKeyboard
    }
    guard isShown else { return [] }
    return [
      Finding(
        .note, "Linux chooses at random the passkey that the device shows", at: .security(key: "passkey"),
        hint: "the log shows it; in memory, the device shows this one")
    ]
  }
}
