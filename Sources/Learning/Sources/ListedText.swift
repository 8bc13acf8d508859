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

  /// A UUID of 1 to 8 digits, of 32, or of 36 characters.
  ///
  /// - Parameter keepsForm: whether a UUID in 128 bits is written so because the device declares it so.
  static func uuid(_ text: some StringProtocol, keepsForm: Bool) -> ObservedTable.DeclaredUUID? {
    var text = String(text)
    if text.hasPrefix("0x") || text.hasPrefix("0X") { text.removeFirst(2) }
    guard !text.isEmpty else { return nil }
    if text.utf8.count < 4 { text = String(repeating: "0", count: 4 - text.utf8.count) + text }
    let isLong = text.utf8.count >= 32
    if text.utf8.count == 32, text.allSatisfy(\.isASCII) { text = dashed(text) }
    guard let uuid = BluetoothUUID(text) else { return nil }
    return .init(uuid, isLong: keepsForm && isLong && uuid.width == .bits16)
  }

  private static func dashed(_ digits: String) -> String {
    var rest = digits[...]
    var groups: [Substring] = []
    for count in [8, 4, 4, 4, 12] {
      groups.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return groups.joined(separator: "-")
  }

  /// The property of a name: `read`, `WRITE_NO_RESPONSE`, `writeWithoutResponse`.
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
