/// A Bluetooth device address (BD_ADDR, Core Specification, Vol 2 Part B 1.2).
package struct DeviceAddress: Hashable, Sendable {
  /// A number of 48 bits, which takes no memory of its own. The bits above tell apart what has the same address (``distinct(from:)``).
  private let number: UInt64

  /// - Parameter bytes: six, most significant first.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 6 else { return nil }
    number = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// - Parameter bytes: six, least significant first, as packets have them.
  package init?(littleEndianBytes bytes: some Collection<UInt8>) { self.init(bytes.reversed()) }

  /// Six bytes, most significant first, as people write them.
  package var bytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: number >> (40 - 8 * $0)) } }

  /// Whether it is 00:00:00:00:00:00, which some packets have for no address.
  package var isZero: Bool { number == 0 }

  /// Six bytes, least significant first, as packets have them.
  package var littleEndianBytes: [UInt8] { bytes.reversed() }
}

extension DeviceAddress {
  private init(number: UInt64) { self.number = number }

  /// The same six bytes, but equal to none of these: a public and a random address may have the same bytes.
  package func distinct(from others: [DeviceAddress]) -> DeviceAddress {
    var address = self
    while others.contains(address) { address = DeviceAddress(number: address.number + 1 << 48) }
    return address
  }

  /// Whether the six bytes are the same.
  package func hasBytes(of other: DeviceAddress) -> Bool { (number ^ other.number) << 16 == 0 }
}

extension DeviceAddress: LosslessStringConvertible {
  /// Reads `00:1A:7D:DA:71:13`, in either case.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { $0.utf8.count == 2 ? $0.hexadecimalNumber : nil }
    guard parts.count == 6, bytes.count == 6 else { return nil }
    self.init(bytes.map { UInt8($0) })
  }

  package var description: String {
    bytes.map { $0.hexadecimal(digits: 2) }.joined(separator: ":")
  }
}
