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
