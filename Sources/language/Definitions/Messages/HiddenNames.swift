import DeviceModel
import Framing

/// Names that a template hides, because its own words have priority.
enum HiddenNames {
  /// The holes of an inline template that use a word of templates although a name has another meaning, with
  /// their places.
  static func uses(in text: String, _ scope: NameScope) -> [(Mistake, Range<Int>)] {
    guard text.utf8.contains(UInt8(ascii: "{")), let parts = try? TemplateText(text).parts else { return [] }
    return parts.compactMap { part in
      guard case .hole(let hole) = part, let name = Self.name(of: hole, scope) else { return nil }
      return (.hiddenName(name, type: hole.encoding), hole.nameRange)
    }
  }

  /// The word of the template that the hole begins with, if it is a name of the scope.
  private static func name(of hole: TemplateText.Hole, _ scope: NameScope) -> String? {
    guard hole.encoding != nil else {
      let isHidden =
        scope.values[hole.name] != nil && Checksum.named(hole.name, or: scope.checksums) != nil
      return isHidden ? hole.name : nil
    }
    let word = hole.name.prefix { $0 != " " && $0 != "(" && $0 != "+" && $0 != "-" }.trimmed
    let reader = HoleReader(hole: hole, isInline: true, checksums: scope.checksums)
    guard word == "size", scope.values[word] != nil, case (.message, _)? = try? reader.measure() else {
      return nil
    }
    return word
  }

  /// The fields of a message whose names no expression can use, with their places.
  static func fields(of message: MessageTemplate, in text: String) -> [(Mistake, Range<Int>)] {
    message.fields.map(\.name).filter(NameScope.words.contains).map { name in
      (.wordAsField(name), place(of: name, in: text) ?? 0..<text.unicodeScalars.count)
    }
  }

  private static func place(of name: String, in text: String) -> Range<Int>? {
    let parts = (try? TemplateText(text).parts) ?? []
    return parts.lazy.compactMap { part in
      if case .hole(let hole) = part, hole.name == name { hole.nameRange } else { nil }
    }.first
  }
}
