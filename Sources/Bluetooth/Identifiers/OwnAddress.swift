/// The address of a device that does not use its adapter's: a static random one (Core Specification, Vol 6 Part B
/// 1.3.2.1).
package enum OwnAddress: Hashable, Sendable {
  /// An address that is always the same for a device on an adapter, and differs for other devices and adapters.
  case derived
  case given(DeviceAddress)

  /// - Parameters:
  ///   - device: the name of the definition.
  ///   - adapter: the address of the adapter.
  package func address(of device: String, on adapter: DeviceAddress) -> DeviceAddress {
    switch self {
    case .given(let address): return address
    case .derived:
      var bytes = Self.hash(of: Array(device.utf8) + adapter.bytes)
      bytes[0] |= 0xC0
      return DeviceAddress(bytes)!
    }
  }

  /// Six bytes of FNV-1a, a hash that never changes.
  private static func hash(of bytes: [UInt8]) -> [UInt8] {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return (0..<6).map { UInt8(truncatingIfNeeded: (hash ^ hash >> 48) >> (8 * $0)) }
  }
}

extension OwnAddress: LosslessStringConvertible {
  /// The pattern of its text.
  package static let pattern = "^(random|[C-Fc-f][0-9A-Fa-f](:[0-9A-Fa-f]{2}){5})$"

  /// Reads `random`, or an address whose two highest bits are 1 and whose others are neither all 0 nor all 1.
  package init?(_ text: String) {
    if text == "random" {
      self = .derived
    } else if let address = DeviceAddress(text), address.isStatic {
      self = .given(address)
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .derived: "random"
    case .given(let address): address.description
    }
  }
}

extension DeviceAddress {
  fileprivate var isStatic: Bool {
    let rest = [bytes[0] & 0x3F] + bytes.dropFirst()
    return bytes[0] >= 0xC0 && rest != [0, 0, 0, 0, 0, 0] && rest != [0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
  }
}
