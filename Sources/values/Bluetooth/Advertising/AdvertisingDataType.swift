/// The AD type of an AD structure ("Assigned Numbers", section 2.3).
package struct AdvertisingDataType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let flags = Self(rawValue: 0x01)
  package static let incompleteServiceUUIDs16 = Self(rawValue: 0x02)
  package static let completeServiceUUIDs16 = Self(rawValue: 0x03)
  package static let incompleteServiceUUIDs32 = Self(rawValue: 0x04)
  package static let completeServiceUUIDs32 = Self(rawValue: 0x05)
  package static let incompleteServiceUUIDs128 = Self(rawValue: 0x06)
  package static let completeServiceUUIDs128 = Self(rawValue: 0x07)
  package static let shortenedLocalName = Self(rawValue: 0x08)
  package static let completeLocalName = Self(rawValue: 0x09)
  package static let txPowerLevel = Self(rawValue: 0x0A)
  package static let serviceData16 = Self(rawValue: 0x16)
  package static let appearance = Self(rawValue: 0x19)
  package static let serviceData32 = Self(rawValue: 0x20)
  package static let serviceData128 = Self(rawValue: 0x21)
  package static let manufacturerData = Self(rawValue: 0xFF)

  /// The list of all services, for UUIDs of one width.
  package static func completeServiceUUIDs(_ width: BluetoothUUID.Width) -> Self {
    switch width {
    case .bits16: .completeServiceUUIDs16
    case .bits32: .completeServiceUUIDs32
    case .bits128: .completeServiceUUIDs128
    }
  }

  /// A list of some services, for UUIDs of one width.
  package static func incompleteServiceUUIDs(_ width: BluetoothUUID.Width) -> Self {
    switch width {
    case .bits16: .incompleteServiceUUIDs16
    case .bits32: .incompleteServiceUUIDs32
    case .bits128: .incompleteServiceUUIDs128
    }
  }

  /// The width of the UUIDs in such a list of services; nil for other types.
  package var widthOfServiceUUIDs: BluetoothUUID.Width? {
    switch self {
    case .incompleteServiceUUIDs16, .completeServiceUUIDs16: .bits16
    case .incompleteServiceUUIDs32, .completeServiceUUIDs32: .bits32
    case .incompleteServiceUUIDs128, .completeServiceUUIDs128: .bits128
    default: nil
    }
  }

  /// Service data under a UUID of one width.
  package static func serviceData(_ width: BluetoothUUID.Width) -> Self {
    switch width {
    case .bits16: .serviceData16
    case .bits32: .serviceData32
    case .bits128: .serviceData128
    }
  }
}

extension AdvertisingDataType {
  /// Reads `24` or `0x24`.
  package init?(_ text: some StringProtocol) {
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let number = UInt8(digits, radix: 16)
    else {
      return nil
    }
    self.init(rawValue: number)
  }

  /// The pattern of such a text in a JSON Schema.
  package static let pattern = "^(0x)?[0-9A-Fa-f]{2}$"
}

extension AdvertisingDataType: CustomStringConvertible {
  package var name: String? { Self.names[rawValue] }

  package var description: String { name ?? "AD type 0x\(rawValue.hexadecimal(digits: 2))" }

  private static let names: [UInt8: String] = [
    0x01: "Flags",
    0x02: "Incomplete List of 16-bit Service UUIDs",
    0x03: "Complete List of 16-bit Service UUIDs",
    0x04: "Incomplete List of 32-bit Service UUIDs",
    0x05: "Complete List of 32-bit Service UUIDs",
    0x06: "Incomplete List of 128-bit Service UUIDs",
    0x07: "Complete List of 128-bit Service UUIDs",
    0x08: "Shortened Local Name",
    0x09: "Complete Local Name",
    0x0A: "Tx Power Level",
    0x0D: "Class of Device",
    0x0E: "Simple Pairing Hash C-192",
    0x0F: "Simple Pairing Randomizer R-192",
    0x10: "Device ID",
    0x11: "Security Manager Out of Band Flags",
    0x12: "Peripheral Connection Interval Range",
    0x14: "List of 16-bit Service Solicitation UUIDs",
    0x15: "List of 128-bit Service Solicitation UUIDs",
    0x16: "Service Data - 16-bit UUID",
    0x17: "Public Target Address",
    0x18: "Random Target Address",
    0x19: "Appearance",
    0x1A: "Advertising Interval",
    0x1B: "LE Bluetooth Device Address",
    0x1C: "LE Role",
    0x1F: "List of 32-bit Service Solicitation UUIDs",
    0x20: "Service Data - 32-bit UUID",
    0x21: "Service Data - 128-bit UUID",
    0x24: "URI",
    0x25: "Indoor Positioning",
    0x26: "Transport Discovery Data",
    0x27: "LE Supported Features",
    0x2D: "Broadcast Name",
    0x2E: "Resolvable Set Identifier",
    0x3D: "3D Information Data",
    0xFF: "Manufacturer Specific Data",
  ]
}
