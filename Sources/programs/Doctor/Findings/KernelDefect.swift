/// A defect of Linux that concerns peripherals, in the versions in which it was measured or reported.
package enum KernelDefect: CaseIterable, Hashable, Sendable {
  /// "Bluetooth: MGMT: validate Add Extended Advertising Data length" refuses what bluetoothd sends; "Fix backward compatibility
  /// with userspace" accepts it again.
  case refusesAdvertisements
  /// "Bluetooth: L2CAP: Fix corrupted list in hci_chan_del" is not in 6.1; measured on Debian's 6.1.192.
  case diesWhenCentralLeaves
  /// "Bluetooth: btmtk: validate WMT event SKB length before struct access" refuses what these adapters send.
  case losesMediaTekAdapters
  /// Measured on Debian's 6.1.192.
  case refusesLE2M

  /// Versions of a series, from the first with the defect up to the one that corrects it.
  struct Versions: Hashable, Sendable {
    var series: String
    var patches: Range<Int>

    init(_ series: String, _ patches: Range<Int>) { (self.series, self.patches) = (series, patches) }

    func contains(_ version: KernelVersion) -> Bool {
      version.series == series && patches.contains(version.patch)
    }
  }

  var versions: [Versions] {
    switch self {
    case .refusesAdvertisements:
      [Versions("6.1", 175..<176), Versions("6.12", 92..<94), Versions("6.18", 34..<36)]
    case .diesWhenCentralLeaves: [Versions("6.1", 0..<Int.max), Versions("6.12", 0..<20)]
    case .losesMediaTekAdapters:
      [Versions("6.12", 88..<90), Versions("6.18", 30..<31), Versions("7.0", 7..<8)]
    case .refusesLE2M: [Versions("6.1", 0..<Int.max)]
    }
  }

  /// A public report, or the version that corrects it; nil: blemu's own measurement.
  var source: String? {
    switch self {
    case .refusesAdvertisements: "https://github.com/raspberrypi/linux/issues/7473"
    case .diesWhenCentralLeaves: "https://www.kernel.org/pub/linux/kernel/v6.x/ChangeLog-6.12.20"
    case .losesMediaTekAdapters: "https://bugs.debian.org/1136790"
    case .refusesLE2M: nil
    }
  }

  /// Those of a version.
  static func all(of version: KernelVersion) -> [KernelDefect] {
    allCases.filter { $0.versions.contains { $0.contains(version) } }
  }
}
