/// A Bluetooth device address (BD_ADDR, Core Specification, Vol 2 Part B 1.2).
package struct DeviceAddress: Hashable, Sendable {
  /// Six bytes, most significant first, as people write them.
  package let bytes: [UInt8]

  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 6 else { return nil }
    self.bytes = Array(bytes)
  }
}

extension DeviceAddress: LosslessStringConvertible {
  /// Reads `00:1A:7D:DA:71:13`, in either case.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { $0.utf8.count == 2 ? $0.hexadecimalNumber : nil }
    guard parts.count == 6, bytes.count == 6 else { return nil }
    self.bytes = bytes.map { UInt8($0) }
  }

  package var description: String {
    bytes.map { $0.hexadecimal(digits: 2) }.joined(separator: ":")
  }
}
