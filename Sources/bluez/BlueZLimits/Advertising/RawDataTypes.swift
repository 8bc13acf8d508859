import Bluetooth

extension AdvertisingDataType {
  /// BlueZ accepts such bytes only through a property, or not at all (`type_reject_list` in `src/shared/ad.c`).
  var isRefusedAsRawData: Bool { Self.refusedAsRawData.contains(rawValue) }

  private static let refusedAsRawData: Set<UInt8> = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x14,
    0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x27, 0x28,
    0x29, 0x2A, 0x2B, 0x3D, 0xFF,
  ]

  /// The key of an advertisement that sends the same; nil: there is none.
  var key: String? {
    switch self {
    case .flags: "discoverable"
    case .incompleteServiceUUIDs16, .completeServiceUUIDs16, .incompleteServiceUUIDs32,
      .completeServiceUUIDs32, .incompleteServiceUUIDs128, .completeServiceUUIDs128:
      AdvertisingField.Content.services.rawValue
    case .shortenedLocalName, .completeLocalName: AdvertisingField.Content.localName.rawValue
    case .txPowerLevel: AdvertisingField.Content.txPower.rawValue
    case .serviceData16, .serviceData32, .serviceData128: AdvertisingField.Content.serviceData.rawValue
    case .appearance: AdvertisingField.Content.appearance.rawValue
    case .manufacturerData: AdvertisingField.Content.manufacturerData.rawValue
    default: nil
    }
  }
}
