import BlemuJSON
import Bluetooth
import Framing

/// What advertising packets contain, decoded: by the keys of a definition's advertisement.
package struct AdvertisedFields {
  package private(set) var localName: String?
  package private(set) var services: [BluetoothUUID] = []
  /// By company and by UUID, as a definition writes them, and the other structures by their types.
  package private(set) var manufacturerData: [(key: String, bytes: [UInt8])] = []
  package private(set) var serviceData: [(key: String, bytes: [UInt8])] = []
  package private(set) var raw: [(key: String, bytes: [UInt8])] = []
  /// dBm.
  package private(set) var txPower: Int8?
  package private(set) var appearance: UInt16?
  /// What follows the last AD structure of a packet: a structure that is longer than the packet, or zeros and what comes after them.
  package private(set) var malformed: [UInt8] = []
  private var hasCompleteName = false

  /// - Parameter packets: the advertising packet and the scan response.
  package init(_ packets: [AdvertisingData]) {
    for packet in packets {
      for uuid in packet.serviceUUIDs where !services.contains(uuid) { services.append(uuid) }
      for structure in packet.structures { take(structure) }
      // Zeros alone are padding (Core Specification, Vol 3 Part C 11).
      if packet.remainder.contains(where: { $0 != 0 }) { malformed += packet.remainder }
    }
  }

  private mutating func take(_ structure: ADStructure) {
    let value = structure.value
    switch structure.type {
    case .manufacturerData where value.count >= 2:
      let company = UInt16(value[0], value[1]).hexadecimal(digits: 4)
      manufacturerData.append((company, Array(value.dropFirst(2))))
    case .serviceData16 where value.count >= 2: takeServiceData(value, width: 2)
    case .serviceData32 where value.count >= 4: takeServiceData(value, width: 4)
    case .serviceData128 where value.count >= 16: takeServiceData(value, width: 16)
    case .txPowerLevel where value.count == 1: txPower = Int8(bitPattern: value[0])
    case .appearance where value.count == 2: appearance = UInt16(value[0], value[1])
    case .completeLocalName where !hasCompleteName:
      (localName, hasCompleteName) = (String(decoding: value, as: UTF8.self), true)
    case .shortenedLocalName: localName = localName ?? String(decoding: value, as: UTF8.self)
    case .flags: break
    case let type where type.widthOfServiceUUIDs.map { value.count % $0.rawValue == 0 } ?? false: break
    default: raw.append((structure.type.rawValue.hexadecimal(digits: 2), value))
    }
  }

  private mutating func takeServiceData(_ value: [UInt8], width: Int) {
    guard let uuid = BluetoothUUID(littleEndianBytes: value[..<width]) else { return }
    serviceData.append((uuid.description, Array(value.dropFirst(width))))
  }
}

extension AdvertisedFields {
  /// For a JSON object, without the name; nil where the packets have nothing.
  package var members: KeyValuePairs<String, JSONValue?> {
    [
      "services": services.isEmpty ? nil : .array(services.map { .string($0.description) }),
      "manufacturer-data": Self.object(manufacturerData), "service-data": Self.object(serviceData),
      "raw": Self.object(raw), "tx-power": txPower.map { .integer(Int($0)) },
      "appearance": appearance.map { .integer(Int($0)) },
      "malformed": malformed.isEmpty ? nil : .string(HexText.format(malformed)),
    ]
  }

  private static func object(_ entries: [(key: String, bytes: [UInt8])]) -> JSONValue? {
    guard !entries.isEmpty else { return nil }
    return .object(entries.map { .init(name: $0.key, value: .string(HexText.format($0.bytes))) })
  }
}
