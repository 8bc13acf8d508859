import BlemuJSON
import Bluetooth
import Centrals
import ControlServer
import Framing

// MARK: For people

extension HeardDevice {
  /// `180D Heart Rate; manufacturer-data 004C 02 15 …; tx-power 4`
  var text: String {
    let fields = AdvertisedFields(contents)
    var parts = [isConnectable ? nil : "not connectable", isExtended ? "extended" : nil].compactMap(\.self)
    if !fields.services.isEmpty { parts.append(fields.services.map(Self.text).joined(separator: ", ")) }
    for (kind, entries) in [
      ("manufacturer-data", fields.manufacturerData), ("service-data", fields.serviceData),
      ("raw", fields.raw),
    ] {
      parts += entries.map { "\(kind) \($0.key)" + ($0.bytes.isEmpty ? "" : " \(HexText.format($0.bytes))") }
    }
    if let appearance = fields.appearance { parts.append("appearance \(appearance)") }
    if let txPower = fields.txPower { parts.append("tx-power \(txPower)") }
    if !fields.malformed.isEmpty { parts.append("malformed \(HexText.format(fields.malformed))") }
    return parts.joined(separator: "; ")
  }

  private static func text(_ uuid: BluetoothUUID) -> String {
    uuid.name.map { "\(uuid) \($0)" } ?? uuid.description
  }

  /// ` -52 dBm  C8:B2:1E:4A:00:01 (random)  "HMSoft"  FFE0`
  var line: String {
    let strength = rssi.map { "\($0) dBm" } ?? "?"
    let name = name.map { "\"\(PrintableText.escape(Array($0.utf8)))\"" }
    return ([strength.aligned(to: 8), "\(address)".padded(to: 26)] + [name, text].compactMap(\.self))
      .filter { !$0.isEmpty }.joined(separator: "  ")
  }
}

// MARK: For programs

extension HeardDevice {
  var json: JSONValue {
    let object: JSONValue = [
      "address": .string("\(address.address)"),
      "kind": .string(address.kind == .public ? "public" : "random"),
      "connectable": .boolean(isConnectable), "extended": .boolean(isExtended),
      "packets": .integer(count), "data": .string(HexText.format(data)),
    ]
    return object.adding([
      "rssi": rssi.map { .integer(Int($0)) }, "name": name.map { .string($0) },
      "scan-response": scanResponse.isEmpty ? nil : .string(HexText.format(scanResponse)),
    ]).adding(AdvertisedFields(contents).members)
  }
}
