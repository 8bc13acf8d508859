extension BluetoothUUID: LosslessStringConvertible {
  /// Reads `FFE0`, `0xFFE0`, `0000FFE0` or the 36-character form, in either case.
  package init?(_ text: String) {
    let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
    switch digits.utf8.count {
    case 4, 8:
      guard let short = digits.hexadecimalNumber else { return nil }
      self.init(UInt32(short))
    case 36 where digits.count == text.count:
      guard let value = Self.dashed(text) else { return nil }
      self.init(value: value)
    default:
      return nil
    }
  }

  /// The pattern of such a text in a JSON Schema.
  package static let pattern =
    "^(0[xX])?([0-9A-Fa-f]{4}|[0-9A-Fa-f]{8})$|^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"

  /// The shortest form, in upper case: `FFE0`, `0001FFE0` or all 36 characters.
  package var description: String {
    guard let short else { return fullText.uppercased() }
    return short.hexadecimal(digits: width.rawValue * 2)
  }

  /// All 36 characters in lower case, BlueZ's form.
  package var fullText: String {
    var groups = [String]()
    var shift = 128
    for digits in Self.groups {
      shift -= digits * 4
      let mask = (UInt128(1) << (digits * 4)) - 1
      groups.append((value >> shift & mask).hexadecimal(digits: digits))
    }
    return groups.joined(separator: "-").lowercased()
  }

  /// The number of digits between the dashes of the long form (RFC 9562, 4).
  private static let groups = [8, 4, 4, 4, 12]

  private static func dashed(_ text: String) -> UInt128? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == groups else { return nil }
    return parts.joined().hexadecimalNumber
  }
}
