import Bluetooth

extension Finding {
  /// What a transport cannot do whose pairing is the kernel's: an adapter that may bond announces bonding to each central
  /// (`build_pairing_cmd` of net/bluetooth/smp.c), and one that may not refuses centrals that ask for it
  /// (`smp_cmd_pairing_req`), as phones do.
  package static func announcedBonding(of definition: PeripheralDefinition) -> [Finding] {
    guard definition.possiblePairings.contains(where: { $0.isAllowed && !$0.bonds }) else { return [] }
    return [
      Finding(
        .note, "Linux tells each central that the device keeps the keys, so the central keeps them, too",
        at: .security(key: "bonding"),
        hint: "forget the device at the central before it connects again; in memory nobody keeps them")
    ]
  }
}
