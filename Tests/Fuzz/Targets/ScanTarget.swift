import Bluetooth
import Centrals
import Framing
import HCIPackets

extension FuzzTarget {
  /// Any advertising reports of a controller. Each event has a byte for its subevent, one with its number of reports, and one with
  /// its length.
  static let scan = FuzzTarget(
    name: "scan",
    run: { bytes in
      let devices = try heard(bytes)
      try guarantee(devices.all.count <= 2000, "\(devices.all.count) devices are kept")
      try guarantee(Set(devices.all.map(\.address)).count == devices.all.count, "a device is there twice")
    },
    describe: { bytes in
      let devices = (try? heard(bytes))?.all ?? []
      return devices.map { "\($0.address) \($0.name ?? "") \(HexText.format($0.data))" }.joined(
        separator: "\n")
    })

  private static let subevents: [UInt8] = [0x02, 0x0B, 0x0D]

  private static func heard(_ bytes: [UInt8]) throws(BrokenGuarantee) -> HeardDevices {
    var input = FuzzInput(bytes)
    var devices = HeardDevices()
    var time = Instant()
    while let kind = input.byte() {
      time.microseconds += 1000
      let count = UInt8(input.number(below: 8))
      let rest = input.bytes(max(1, input.number(below: 254)))
      let event = [0x3E, UInt8(rest.count + 2), subevents[Int(kind) % subevents.count], count] + rest
      let reports = AdvertisingReport.reports(in: event)
      try guarantee(reports.count <= Int(count), "more reports than there are")
      for report in reports {
        guard let (device, news) = devices.take(report, at: time) else { continue }
        try guarantee(news != .isNew || device.count == 1, "a new device was heard before")
        try guarantee(
          device.structures.allSatisfy { $0.size <= 256 }, "a structure is longer than its length says")
      }
    }
    return devices
  }
}
