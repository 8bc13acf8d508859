import Bluetooth

extension Controller {
  /// Reports what it has heard to the host, unless it filters it as a duplicate.
  mutating func report(_ report: AirReport) {
    guard let activity = state.scanner.activity else { return }
    let sighting = Scanner.Sighting(
      address: report.address, kind: report.kind, identifier: report.identifier,
      data: report.isLegacy ? [] : report.data)
    let isNew = state.scanner.activity?.reported.insert(sighting).inserted == true
    guard isNew || !activity.filtersDuplicates else { return }
    if activity.isExtended { return reportExtended(report) }
    if let target = report.target, target != scanningAddress {
      reportDirected(report, to: target)
    } else {
      let head = [1, report.legacyNumber] + (report.address?.bytes ?? [])
      emitLowEnergy(
        0x02, head + [UInt8(report.data.count)] + report.data + [UInt8(bitPattern: report.rssi)])
    }
  }

  /// LE Directed Advertising Report (Vol 4 Part E 7.7.65.11): to an address that the controller has not resolved.
  private mutating func reportDirected(_ report: AirReport, to target: LinkAddress) {
    let head = [1, 1] + (report.address?.bytes ?? [])
    emitLowEnergy(0x0B, head + target.bytes + [UInt8(bitPattern: report.rssi)])
  }

  /// LE Extended Advertising Report (7.7.65.13), in fragments of 229 bytes, which fill an event.
  private mutating func reportExtended(_ report: AirReport) {
    let data = report.data.prefix(traits.reportedDataSize)
    let isTruncated = data.count < report.data.count
    for start in stride(from: 0, to: max(1, data.count), by: 229) {
      let piece = data[start..<min(start + 229, data.count)]
      let status: UInt16 = piece.endIndex < data.count ? 1 : isTruncated ? 2 : 0
      let none = [UInt8](repeating: 0, count: 7)
      let address = report.address?.bytes ?? [0xFF, 0, 0, 0, 0, 0, 0]
      let radio = [
        report.primaryPHY, report.secondaryPHY, report.identifier, 0x7F, UInt8(bitPattern: report.rssi),
      ]
      emitLowEnergy(
        0x0D,
        [1] + (report.kind | status << 5).littleEndianBytes + address + radio + [0, 0]
          + (report.target?.bytes ?? none) + [UInt8(piece.count)] + piece)
    }
  }

  /// The end of a scan, or of its period (7.8.65): LE Scan Timeout, or everything counts as new.
  mutating func endScan() {
    guard let activity = state.scanner.activity else { return }
    if let period = activity.period {
      state.scanner.activity?.reported = []
      state.scanner.activity?.end = now.advanced(by: period)
    } else {
      state.scanner.activity = nil
      emitLowEnergy(0x11, [])
    }
  }
}
