/// What controllers do otherwise than they say. Each row names the cause.
struct ControllerQuirks: OptionSet, Hashable {
  let rawValue: Int

  /// Its extended advertising and scanning do not work, though it announces them.
  static let noExtendedAdvertising = Self(rawValue: 1 << 0)
}

extension ControllerQuirks {
  private struct Row {
    var manufacturer: UInt16
    /// nil: all.
    var subversion: UInt16?
    var quirks: ControllerQuirks
  }

  private static let table = [
    // Actions ATS2851, of cheap USB dongles: extended scanning and connecting fail (Linux: BTUSB_ACTIONS_SEMI of
    // drivers/bluetooth/btusb.c).
    Row(manufacturer: 0x03E0, quirks: .noExtendedAdvertising)
  ]

  /// The quirks of a controller.
  init(of abilities: ControllerAbilities) {
    self = Self.table
      .filter {
        $0.manufacturer == abilities.manufacturer
          && ($0.subversion ?? abilities.subversion) == abilities.subversion
      }
      .reduce(into: []) { $0.formUnion($1.quirks) }
  }
}

extension ControllerAbilities {
  mutating func apply(_ quirks: ControllerQuirks) {
    if quirks.contains(.noExtendedAdvertising) { lowEnergyFeatures.remove(.extendedAdvertising) }
  }
}
