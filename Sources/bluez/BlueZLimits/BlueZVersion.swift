/// A release of BlueZ, for example 5.66.
package struct BlueZVersion: Hashable, Comparable, Sendable {
  private let major: Int
  private let minor: Int

  package init(_ major: Int, _ minor: Int) {
    (self.major, self.minor) = (major, minor)
  }

  /// Reads the number that `bluetoothd --version` prints.
  package init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    self.init(major, minor)
  }

  /// Reads the version in the default Device ID of bluetoothd (`usb:v1D6Bp0246d0542` is 5.66).
  package init?(modalias: String) {
    let prefix = "usb:v1D6Bp0246d"
    guard modalias.hasPrefix(prefix), let number = Int(modalias.dropFirst(prefix.count), radix: 16) else {
      return nil
    }
    self.init(number >> 8, number & 0xFF)
  }

  package static func < (one: Self, other: Self) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }
}

extension BlueZVersion: CustomStringConvertible {
  /// As in `BlueZ 5.66`.
  package var description: String { "BlueZ \(major).\(minor < 10 ? "0" : "")\(minor)" }
}

extension BlueZVersion {
  /// The first that uses `MinInterval`, `MaxInterval` and `TxPower` of an advertisement without `--experimental` (bluez:
  /// src/advertising.c, commit 7e028287a).
  package static let followsTiming = BlueZVersion(5, 77)

  /// The first with the properties `ScanResponseServiceUUIDs`, `ScanResponseManufacturerData`, `ScanResponseServiceData` and
  /// `ScanResponseData` of an advertisement (bluez: src/advertising.c, commit ab6502473). It reads them when an advertisement is
  /// registered, also without `--experimental`; it ignores later changes of them.
  package static let sendsScanResponses = BlueZVersion(5, 80)

  /// The first that knows `Security` under `[GATT]` in main.conf, if `Testing = true` is under `[General]` (bluez: src/main.c, commit
  /// 516099a9d).
  package static let fixesSecurity = BlueZVersion(5, 87)

  /// The first that asks for a socket for each subscribed central, so that a value can go to one of several (bluez:
  /// src/gatt-database.c, commit 8eb1dee87).
  package static let addressesCentrals = BlueZVersion(5, 69)

  /// The first that takes Write Requests of 511 and 512 bytes.
  package static let takesLongestWrites = BlueZVersion(5, 69)

  /// The first that closes the sockets of a bonded central when it leaves, and asks for none when it comes back, still subscribed
  /// (bluez: src/gatt-database.c, commit 8eb1dee87).
  package static let forgetsSubscriptions = BlueZVersion(5, 69)

  /// The one whose bluetoothd crashes when a program scans for the UUID of a service and a device that lists services is heard
  /// (bluez issue 2282; 5.88 has its mend, commit 82af2beaf).
  package static let crashesOnScansForServices = BlueZVersion(5, 87)
}
