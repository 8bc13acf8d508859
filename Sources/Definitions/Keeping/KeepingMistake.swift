/// A mistake in a file of kept settings. `found` is in words, as ``YAMLNode/kindName``.
enum KeepingMistake: Mistake {
  /// The file is not a file of kept settings.
  case noKeptSettings(found: String)
  case unknownKey(String, known: [String])
  case noDefinition
  /// The settings are those of another definition.
  case otherDefinition(found: String, expected: String)
  /// The settings are not names with values.
  case noSettings(found: String)
  case unknownSetting(String, known: [String])
  case noValue(found: String)
  case badValue(SettingError)
}

extension KeepingMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .noKeptSettings(let found): ("expected 'definition' and 'settings', found \(found)", nil)
    case .unknownKey(let name, let known):
      ("kept settings have no key '\(name)'", Suggestion.hint(for: name, in: known))
    case .noDefinition:
      ("'definition', which names the device, is missing", "choose a file that blemu wrote")
    case .otherDefinition(let found, let expected):
      ("these are settings of \(found), not of '\(expected)'", "choose another file, or remove this one")
    case .noSettings(let found): ("expected NAME: VALUE, found \(found)", nil)
    case .unknownSetting(let name, let known):
      ("the definition has no setting '\(name)'", "remove the line\(Self.correction(name, known))")
    case .noValue(let found): ("expected a value, found \(found)", "remove it")
    case .badValue(let error): (error.message, "remove the line, or write a value that fits")
    }
  }

  private static func correction(_ name: String, _ known: [String]) -> String {
    Suggestion.nearest(to: name, in: known).map { ", or write '\($0)'" } ?? ""
  }
}
