/// A fixed address of a device: its adapter's, or a static random one (Core Specification, Vol 6 Part B 1.3.2.1).
package enum OwnAddress: Hashable, Sendable {
  case adapter
  /// A static address that is always the same for a device on an adapter, and differs for other devices and adapters.
  case derived
  /// A static address.
  case given(DeviceAddress)

  /// - Parameters:
  ///   - device: the name of the definition.
  ///   - adapter: the address of the adapter.
  package func address(of device: String, on adapter: DeviceAddress) -> DeviceAddress {
    switch self {
    case .adapter: adapter
    case .given(let address): address
    case .derived: DeviceAddress(static: Self.hash(of: Array(device.utf8) + adapter.bytes))!
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
  package static let pattern = "^(public|random|[C-Fc-f][0-9A-Fa-f](:[0-9A-Fa-f]{2}){5})$"

  /// Reads `public`, `random`, or an address whose two highest bits are 1 and whose others are neither all 0 nor all 1.
  package init?(_ text: String) {
    switch text {
    case "public": self = .adapter
    case "random": self = .derived
    default:
      guard let address = DeviceAddress(text), address == DeviceAddress(static: address.bytes) else {
        return nil
      }
      self = .given(address)
    }
  }

  package var description: String {
    switch self {
    case .adapter: "public"
    case .derived: "random"
    case .given(let address): address.description
    }
  }
}
