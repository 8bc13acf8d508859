import Bluetooth

// Vol 4 Part E 7.8.10, 7.8.11, 7.8.64, 7.8.65
extension HCICommand {
  /// LE Set Scan Parameters, or LE Set Extended Scan Parameters. The controller takes them only while it does not scan.
  ///
  ///     01  60 00  60 00  00  00
  ///     type, interval, window, kind of own address, filter policy
  ///     00  00  05  01 60 00 60 00  01 60 00 60 00
  ///     kind of own address, filter policy, PHYs, and for each of them type, interval, window
  package static func setScanParameters(_ scan: Scan, isExtended: Bool) -> Self {
    let type: UInt8 = scan.isActive ? 1 : 0
    let timing = [type] + scan.interval.littleEndianBytes + scan.window.littleEndianBytes
    let policy: [UInt8] = [scan.address == nil ? 0 : 1, scan.isAcceptListOnly ? 1 : 0]
    guard isExtended else { return Self(.setScanParameters, timing + policy) }
    let timings = (0..<scan.phys.count).flatMap { _ in timing }
    return Self(.setExtendedScanParameters, policy + [scan.phys.rawValue] + timings)
  }

  /// LE Set Scan Enable, or LE Set Extended Scan Enable without a limit of time. While the controller scans, it changes the
  /// filter.
  package static func startScan(_ scan: Scan, isExtended: Bool) -> Self {
    let filter: UInt8 = scan.filtersDuplicates ? 1 : 0
    return isExtended
      ? Self(.setExtendedScanEnable, [0x01, filter, 0x00, 0x00, 0x00, 0x00])
      : Self(.setScanEnable, [0x01, filter])
  }

  package static func stopScan(isExtended: Bool) -> Self {
    isExtended
      ? Self(.setExtendedScanEnable, [0x00, 0x00, 0x00, 0x00, 0x00, 0x00])
      : Self(.setScanEnable, [0x00, 0x00])
  }
}
