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
}
