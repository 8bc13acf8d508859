import Bluetooth
import Framing

/// Writes advertisements in the syntax of transcripts.
package enum AdvertisementText {
  /// `advertises local-name="HMSoft" services=FFE0`.
  package static func write(_ advertisement: Advertisement?) -> String {
    guard let advertisement else { return "not advertising" }
    let set = advertisement.name.isEmpty ? [] : ["set=\(advertisement.name)"]
    return (["advertises"] + set + fields(of: advertisement)).joined(separator: " ")
  }

  /// The fields of an advertisement, each as in `services=FFE0`.
  package static func fields(of it: Advertisement) -> [String] {
    var fields: [String] = []
    if let name = it.localName { fields.append("local-name=\(quote(name))") }
    if !it.serviceUUIDs.isEmpty { fields.append("services=\(list(it.serviceUUIDs))") }
    fields += it.manufacturerData.map { "manufacturer-data=\(hex($0.company)):\(hex($0.bytes))" }
    fields += it.serviceData.map { "service-data=\($0.uuid):\(hex($0.bytes))" }
    if let power = it.txPower { fields.append("tx-power=\(power)") }
    if let appearance = it.appearance { fields.append("appearance=0x\(hex(appearance))") }
    fields += ["discoverable=\(it.isDiscoverable)", "connectable=\(it.isConnectable)"]
    if let interval = it.interval { fields.append("interval=\(self.interval(interval))") }
    if it.address != nil { fields.append("address=\(address(it.address))") }
    fields += it.rawStructures.map { "raw=\(hex([$0.type.rawValue])):\(hex($0.value))" }
    fields += it.packetBytes.map { "bytes=\(hex($0))" }
    return fields
  }

  /// nil: it is the adapter's.
  static func address(_ address: SetAddress?) -> String { address?.address.description ?? "public" }

  /// `100ms`, or `100ms-200ms`.
  static func interval(_ interval: ClosedRange<AdvertisingInterval>) -> String {
    let (min, max) = (milliseconds(interval.lowerBound), milliseconds(interval.upperBound))
    return min == max ? min : "\(min)-\(max)"
  }

  private static func milliseconds(_ interval: AdvertisingInterval) -> String {
    "\(Int(interval.milliseconds.rounded()))ms"
  }

  static func quote(_ text: String) -> String { ValueText.quote(Array(text.utf8)) }

  static func list(_ services: [BluetoothUUID]) -> String {
    services.map(\.description).joined(separator: ",")
  }

  private static func hex(_ bytes: [UInt8]) -> String { HexText.format(bytes).filter { $0 != " " } }

  private static func hex(_ number: UInt16) -> String { hex([UInt8(number >> 8), UInt8(number & 0xFF)]) }
}
