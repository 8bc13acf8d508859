/// A name that is not allowed, that is taken, or that occurs twice where it may occur once.
extension Mistake {
  static func notName(_ text: String) -> Self {
    Self(
      "'\(text)' is not a name",
      Identifier.correction(of: text).map { "write \($0): \(Identifier.rule)" } ?? Identifier.rule)
  }
  /// - Parameter owner: the kind of part that has this name, with an article, or "the language".
  static func taken(_ name: String, by owner: String) -> Self {
    Self(
      "'\(name)' is \(owner == "the language" ? "a word of" : "already the name of") \(owner)",
      "choose another name")
  }
  static let wireAsName = Self("'wire' is the name of the wire side", "choose another name")
  static let anyAsName = Self("'any' stands for any frame", "choose another name")
  static func secondCharacteristic(id: String) -> Self { Self("a second characteristic '\(id)'", ownID) }
  static func secondService(id: String) -> Self { Self("a second service '\(id)'", ownID) }
  static func secondState(_ name: String) -> Self { Self("a second state '\(name)'", oneOfThem) }
  static func second(_ name: String) -> Self { Self("a second '\(name)'", oneOfThem) }

  private static let ownID = "give it an 'id' of its own"
  private static let oneOfThem = "remove one of them"
}
