/// Identifies a service, characteristic or descriptor: 16, 32 or 128 bits wide.
///
/// All three widths have one representation: a short UUID is a 128-bit one on the Bluetooth base
/// (Core Specification, Vol 3 Part B 2.5.1), so `FFE0` equals
/// `0000FFE0-0000-1000-8000-00805F9B34FB`.
package struct BluetoothUUID: Hashable, Sendable {
  /// All 128 bits.
  package let value: UInt128

  /// `00000000-0000-1000-8000-00805F9B34FB`.
  package static let base: UInt128 = 0x0000_0000_0000_1000_8000_00805F9B34FB

  package init(value: UInt128) {
    self.value = value
  }

  /// Places a 16- or 32-bit UUID on the Bluetooth base.
  package init(_ short: UInt32) {
    value = UInt128(short) << 96 | Self.base
  }
}

extension BluetoothUUID: ExpressibleByIntegerLiteral {
  package init(integerLiteral short: UInt32) {
    self.init(short)
  }
}

extension BluetoothUUID {
  /// The narrowest form of a UUID; the raw value is its size in bytes.
  package enum Width: Int, Sendable {
    case bits16 = 2
    case bits32 = 4
    case bits128 = 16
  }

  /// The 16- or 32-bit form of a UUID on the Bluetooth base.
  package var short: UInt32? {
    let isOnBase = value & (UInt128.max >> 32) == Self.base
    return isOnBase ? UInt32(truncatingIfNeeded: value >> 96) : nil
  }

  package var width: Width {
    guard let short else { return .bits128 }
    return short <= UInt16.max ? .bits16 : .bits32
  }
}

extension BluetoothUUID {
  /// The narrowest form, least significant byte first, as advertising data and ATT carry it.
  package var littleEndianBytes: [UInt8] {
    let form = short.map { UInt128($0) } ?? value
    return (0..<width.rawValue).map { UInt8(truncatingIfNeeded: form >> ($0 * 8)) }
  }

  /// Reads 2, 4 or 16 bytes; nil for any other count.
  package init?(littleEndianBytes bytes: some Collection<UInt8>) {
    guard let width = Width(rawValue: bytes.count) else { return nil }
    let number = Array(bytes).reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    if width == .bits128 {
      self.init(value: number)
    } else {
      self.init(UInt32(number))
    }
  }
}
