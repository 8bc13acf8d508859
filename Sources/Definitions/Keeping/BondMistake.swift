import Framing

/// A mistake in the bonds of a file. `found` is in words, as ``YAMLNode/kindName``.
enum BondMistake: Mistake {
  case noList(of: String, found: String)
  case noKeys(of: String, found: String)
  case unknownKey(String, of: String, known: [String])
  case missing(String, of: String)
  case noAddress(found: String)
  case noHex(HexText.ParseError)
  case noText(String, found: String)
  case length(Int, expected: Int)
  case noWord(found: String, known: [String])
  case noNumber(found: String, ClosedRange<Int>)
  /// The device has two bonds with the same central.
  case second(String)
}

extension BondMistake {
  private static let remedy = "correct it, or remove the bond; the central must then pair again"

  var sentences: (message: String, hint: String?) {
    switch self {
    case .noList(let what, let found): ("expected a list of \(what), found \(found)", nil)
    case .noKeys(let what, let found): ("expected \(what), found \(found)", nil)
    case .unknownKey(let name, let what, let known):
      ("\(what) has no key '\(name)'", Suggestion.hint(for: name, in: known))
    case .missing(let name, let what): ("'\(name)' of \(what) is missing", "remove the bond")
    case .noAddress(let found):
      ("expected a Bluetooth address, found \(found)", "an address has six bytes: 00:1A:7D:DA:71:13")
    case .noHex(let error): (error.description, "bytes are written in hex: A5 06 83")
    case .noText(let what, let found): ("expected \(what), found \(found)", Self.remedy)
    case .length(let count, let expected): ("expected \(expected) bytes, found \(count)", Self.remedy)
    case .noWord(let found, let known):
      ("expected \(known.joined(separator: ", ")), found \(found)", Self.remedy)
    case .noNumber(let found, let range):
      ("expected a number from \(range.lowerBound) to \(range.upperBound), found \(found)", Self.remedy)
    case .second(let central): ("this is a second bond with \(central)", "remove one of them")
    }
  }
}
