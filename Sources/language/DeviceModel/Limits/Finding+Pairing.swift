import Bluetooth

extension Finding {
  /// A limit of transports that leave pairing to the kernel: an adapter that may bond announces bonding to each central
  /// (`build_pairing_cmd` of net/bluetooth/smp.c), and one that may not refuses centrals that ask for it
  /// (`smp_cmd_pairing_req`), as phones do.
  package static func announcedBonding(of definition: PeripheralDefinition) -> [Finding] {
    guard definition.possiblePairings.contains(where: { $0.isAllowed && !$0.bonds }) else { return [] }
    return [
      Finding(
        .note, "Linux tells each central that the device keeps the keys, so the central also keeps them",
        at: .security(key: "bonding"),
        hint:
          "make the central forget the device before it connects again; in memory, neither side keeps them")
    ]
  }

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
