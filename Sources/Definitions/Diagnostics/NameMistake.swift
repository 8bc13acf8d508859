/// A name that is not allowed, that is taken, or that occurs twice where it may occur once.
enum NameMistake: Mistake {
  case notName(String)
  /// - Parameter owner: the kind of part that has this name, with an article, or "the language".
  case taken(String, by: String)
  /// A characteristic has the name of the wire side.
  case wireSide
  /// A message has the name that stands for any frame.
  case anyFrame
  case secondCharacteristic(id: String)
  case secondService(id: String)
  case secondState(String)
  /// A name or a key of any other kind.
  case second(String)
}

extension NameMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .notName(let text):
      (
        "'\(text)' is not a name",
        Identifier.correction(of: text).map { "write \($0): \(Identifier.rule)" } ?? Identifier.rule
      )
    case .taken(let name, let owner):
      (
        "'\(name)' is \(owner == "the language" ? "a word of" : "already the name of") \(owner)",
        "choose another name"
      )
    case .wireSide: ("'wire' is the name of the wire side", "choose another name")
    case .anyFrame: ("'any' stands for any frame", "choose another name")
    case .secondCharacteristic(let id): ("a second characteristic '\(id)'", Self.ownID)
    case .secondService(let id): ("a second service '\(id)'", Self.ownID)
    case .secondState(let name): ("a second state '\(name)'", Self.oneOfThem)
    case .second(let name): ("a second '\(name)'", Self.oneOfThem)
    }
  }

  private static let ownID = "give it an 'id' of its own"
  private static let oneOfThem = "remove one of them"
}
