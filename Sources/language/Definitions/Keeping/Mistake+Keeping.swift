import Framing

/// Mistakes in a file of kept settings. `found` is in words, as ``YAMLNode/kindName``.
extension Mistake {
  static func noKeptSettings(found: String) -> Self {
    Self("expected 'definition' and 'settings', found \(found)")
  }
  static func unknownKeptKey(_ name: String, known: [String]) -> Self {
    Self("kept settings have no key '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static let noDefinition = Self(
    "'definition', which names the device, is missing", "choose a file that blemu wrote")
  static func otherDefinition(found: String, expected: String) -> Self {
    Self("these are settings of \(found), not of '\(expected)'", "choose another file, or remove this one")
  }
  static func noSettings(found: String) -> Self { Self("expected NAME: VALUE, found \(found)") }
  static func unknownKeptSetting(_ name: String, known: [String]) -> Self {
    Self("the definition has no setting '\(name)'", "remove the line\(correction(name, known))")
  }
  static func noKeptValue(found: String) -> Self { Self("expected a value, found \(found)", "remove it") }
  static func badKeptValue(_ error: SettingError) -> Self {
    Self(error.message, "remove the line, or write a value that fits")
  }

  private static func correction(_ name: String, _ known: [String]) -> String {
    Suggestion.nearest(to: name, in: known).map { ", or write '\($0)'" } ?? ""
  }
}

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
