import Bluetooth

/// Texts of listings as values.
enum ListedText {
  /// `47 41`, `4741`, `0x4741`; nil: no hex digits, or an odd number of them.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var digits = String(text).filter { $0 != " " }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") { digits = String(digits.dropFirst(2)) }
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == digits.unicodeScalars.count, values.count % 2 == 0 else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  /// `0x000A`, `000a`; nil: no handle.
  static func handle(_ text: some StringProtocol) -> AttributeHandle? {
    let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
    guard let handle = AttributeHandle(digits, radix: 16), handle > 0, !digits.hasPrefix("+") else {
      return nil
    }
    return handle
  }

  /// A UUID of 1 to 8 digits, or of 36 characters.
  static func uuid(_ text: some StringProtocol) -> BluetoothUUID? {
    var text = String(text)
    if text.hasPrefix("0x") || text.hasPrefix("0X") { text.removeFirst(2) }
    guard !text.isEmpty else { return nil }
    if text.utf8.count < 4 { text = String(repeating: "0", count: 4 - text.utf8.count) + text }
    return BluetoothUUID(text)
  }

  /// The property of a name: `read`, `WRITE_NO_RESPONSE`, `write-without-response`.
  static func property(_ name: some StringProtocol) -> CharacteristicProperties? {
    properties[name.lowercased().filter(\.isLetter)]
  }

  private static let properties: [String: CharacteristicProperties] = [
    "broadcast": .broadcast, "read": .read, "write": .write, "notify": .notify, "indicate": .indicate,
    "writewithoutresponse": .writeWithoutResponse, "writenoresponse": .writeWithoutResponse,
    "writecommand": .writeWithoutResponse,
    "authenticatedsignedwrites": .authenticatedSignedWrites, "signedwrite": .authenticatedSignedWrites,
    "extendedproperties": .extendedProperties, "extendedprops": .extendedProperties,
    "reliablewrite": .reliableWrite, "writableauxiliaries": .writableAuxiliaries,
  ]
}
