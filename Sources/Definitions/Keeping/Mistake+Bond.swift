import Framing

/// Mistakes in the bonds of a file. `found` is in words, as ``YAMLNode/kindName``.
extension Mistake {
  static func noList(of what: String, found: String) -> Self {
    Self("expected a list of \(what), found \(found)")
  }
  static func noKeys(of what: String, found: String) -> Self { Self("expected \(what), found \(found)") }
  static func unknownKey(_ name: String, of what: String, known: [String]) -> Self {
    Self("\(what) has no key '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func missingInBond(_ name: String, of what: String) -> Self {
    Self("'\(name)' of \(what) is missing", "remove the bond")
  }
  static func noAddress(found: String) -> Self {
    Self("expected a Bluetooth address, found \(found)", "an address has six bytes: 00:1A:7D:DA:71:13")
  }
  static func noHex(_ error: HexText.ParseError) -> Self {
    Self(error.description, "bytes are written in hex: A5 06 83")
  }
  static func noText(_ what: String, found: String) -> Self {
    Self("expected \(what), found \(found)", remedy)
  }
  static func wrongLength(_ count: Int, expected: Int) -> Self {
    Self("expected \(expected) bytes, found \(count)", remedy)
  }
  static func noWord(found: String, known: [String]) -> Self {
    Self("expected \(known.joined(separator: ", ")), found \(found)", remedy)
  }
  static func noNumber(found: String, _ range: ClosedRange<Int>) -> Self {
    Self("expected a number from \(range.lowerBound) to \(range.upperBound), found \(found)", remedy)
  }
  static func secondBond(_ central: String) -> Self {
    Self("this is a second bond with \(central)", "remove one of them")
  }

  private static let remedy = "correct it, or remove the bond; the central must then pair again"
}
