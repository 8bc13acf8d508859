/// A name that nothing can have, that is taken, or that stands twice where it may stand once.
enum NameMistake: Mistake {
  case notName(String)
  /// - Parameter owner: the kind of part that has this name, with an article, or "the language".
  case taken(String, by: String)
  /// The name of a characteristic would be that of the wire side.
  case wireSide
  /// The name of a message would be the word for all frames.
  case anyFrame
  case secondCharacteristic(id: String)
  case secondService(id: String)
  case secondState(String)
  /// A name or a key that has no noun of its own.
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
      ("'\(name)' is a name of \(owner)\(owner == "the language" ? "" : ", too")", "choose another")
    case .wireSide: ("'wire' is the name of the wire side", "choose another")
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
