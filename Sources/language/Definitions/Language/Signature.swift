/// A name, or a name with parameters: `twice(x)`.
struct Signature {
  let name: String
  /// nil: the name has no parentheses.
  let parameters: [String]?

  /// Its pattern in a JSON Schema.
  static let pattern =
    String(Identifier.pattern.dropLast()) + "( *\\([A-Za-z][A-Za-z0-9-]*( *, *[A-Za-z][A-Za-z0-9-]*)*\\))?$"

  /// nil: the text is no signature.
  init?(_ text: String) {
    guard let open = text.firstIndex(of: "(") else {
      guard Identifier.isValid(text) else { return nil }
      (name, parameters) = (text, nil)
      return
    }
    name = text[..<open].trimmed
    guard text.last == ")", Identifier.isValid(name) else { return nil }
    let inner = text[text.index(after: open)...].dropLast()
    let names = inner.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    parameters = inner.trimmed.isEmpty ? [] : names
    guard parameters!.allSatisfy(Identifier.isValid) else { return nil }
  }

  /// The name in front of the parentheses, if any, of a text that may be wrong.
  static func name(in text: String) -> String { text.prefix { $0 != "(" }.trimmed }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
