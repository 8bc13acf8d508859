import BlemuJSON
import Bluetooth
import Centrals
import Framing

/// What a device advertises, decoded: by the keys of a definition's advertisement.
struct AdvertisedFields {
  private var services: [BluetoothUUID] = []
  /// By company and by UUID, as a definition writes them, and the other structures by their types.
  private var manufacturerData: [(key: String, bytes: [UInt8])] = []
  private var serviceData: [(key: String, bytes: [UInt8])] = []
  private var raw: [(key: String, bytes: [UInt8])] = []
  private var txPower: Int8?
  private var appearance: UInt16?
  private let device: HeardDevice

  init(_ device: HeardDevice) {
    self.device = device
    for uuid in AdvertisingData(device.structures).serviceUUIDs where !services.contains(uuid) {
      services.append(uuid)
    }
    for structure in device.structures { take(structure) }
  }

  private mutating func take(_ structure: ADStructure) {
    let value = structure.value
    switch structure.type {
    case .manufacturerData where value.count >= 2:
      let company = UInt16(value[0], value[1]).hexadecimal(digits: 4)
      manufacturerData.append((company, Array(value.dropFirst(2))))
    case .serviceData16: takeServiceData(value, width: 2)
    case .serviceData32: takeServiceData(value, width: 4)
    case .serviceData128: takeServiceData(value, width: 16)
    case .txPowerLevel where value.count == 1: txPower = Int8(bitPattern: value[0])
    case .appearance where value.count == 2: appearance = UInt16(value[0], value[1])
    case .flags, .completeLocalName, .shortenedLocalName: break
    case let type where type.widthOfServiceUUIDs != nil: break
    default: raw.append((structure.type.rawValue.hexadecimal(digits: 2), value))
    }
  }

  private mutating func takeServiceData(_ value: [UInt8], width: Int) {
    guard value.count >= width, let uuid = BluetoothUUID(littleEndianBytes: value[..<width]) else { return }
    serviceData.append((uuid.description, Array(value.dropFirst(width))))
  }
}

// MARK: For people

extension AdvertisedFields {
  /// `180D Heart Rate; manufacturer-data 004C 02 15 …; tx-power 4`
  var text: String {
    var parts = [device.isConnectable ? nil : "not connectable", device.isExtended ? "extended" : nil]
      .compactMap(\.self)
    if !services.isEmpty { parts.append(services.map(Self.text).joined(separator: ", ")) }
    for (kind, entries) in [
      ("manufacturer-data", manufacturerData), ("service-data", serviceData), ("raw", raw),
    ] {
      parts += entries.map { "\(kind) \($0.key)" + ($0.bytes.isEmpty ? "" : " \(HexText.format($0.bytes))") }
    }
    if let appearance { parts.append("appearance \(appearance)") }
    if let txPower { parts.append("tx-power \(txPower)") }
    return parts.joined(separator: "; ")
  }

  private static func text(_ uuid: BluetoothUUID) -> String {
    uuid.name.map { "\(uuid) \($0)" } ?? uuid.description
  }

  /// ` -52 dBm  C8:B2:1E:4A:00:01 (random)  "HMSoft"  FFE0`
  var line: String {
    let rssi = device.rssi.map { "\($0) dBm" } ?? "?"
    let name = device.name.map { "\"\(PrintableText.escape(Array($0.utf8)))\"" }
    return ([rssi.aligned(to: 8), "\(device.address)".padded(to: 26)] + [name, text].compactMap(\.self))
      .filter { !$0.isEmpty }.joined(separator: "  ")
  }
}

// MARK: For programs

extension AdvertisedFields {
  var json: JSONValue {
    let object: JSONValue = [
      "address": .string("\(device.address.address)"),
      "kind": .string(device.address.kind == .public ? "public" : "random"),
      "connectable": .boolean(device.isConnectable), "extended": .boolean(device.isExtended),
      "packets": .integer(device.count), "data": .string(HexText.format(device.data)),
    ]
    return object.adding([
      "rssi": device.rssi.map { .integer(Int($0)) }, "name": device.name.map { .string($0) },
      "scan-response": device.scanResponse.isEmpty ? nil : .string(HexText.format(device.scanResponse)),
      "services": services.isEmpty ? nil : .array(services.map { .string($0.description) }),
      "manufacturer-data": Self.object(manufacturerData), "service-data": Self.object(serviceData),
      "raw": Self.object(raw), "tx-power": txPower.map { .integer(Int($0)) },
      "appearance": appearance.map { .integer(Int($0)) },
    ])
  }

  private static func object(_ entries: [(key: String, bytes: [UInt8])]) -> JSONValue? {
    guard !entries.isEmpty else { return nil }
    return .object(entries.map { .init(name: $0.key, value: .string(HexText.format($0.bytes))) })
  }
}
