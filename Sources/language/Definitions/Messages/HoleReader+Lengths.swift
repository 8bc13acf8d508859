import DeviceModel

extension HoleReader {
  /// `size`, `size - 2`, `size(data)`, `count(items) + 1`; nil for anything else.
  ///
  /// In an inline template only the message itself has a size: `size(…)` is a function of expressions there.
  func measure() throws(TextError) -> (TemplateNode.Length.Measure, adding: Int)? {
    let word = hole.name.prefix { $0.isLetter }
    guard word == "size" || word == "count" && hole.name.contains("("),
      !Identifier.isValid(hole.name) || adding(hole.name.dropFirst(word.count)) != nil
    else { return nil }
    var rest = hole.name.dropFirst(word.count).trimmed[...]
    var target: String?
    if rest.first == "(" {
      if isInline { return nil }
      guard let close = rest.firstIndex(of: ")") else { throw mistake(.wrongMeasure) }
      target = rest[..<close].dropFirst().trimmed
      rest = rest[close...].dropFirst().trimmed[...]
    }
    guard let adding = adding(rest) else {
      if isInline { return nil }
      throw mistake(.wrongMeasure)
    }
    guard let target else { return word == "size" ? (.message, adding) : nil }
    return (word == "size" ? .size(of: target) : .count(of: target), adding)
  }

  /// `+ 3`, `- 2` or nothing.
  private func adding(_ text: Substring) -> Int? {
    guard let sign = text.first else { return 0 }
    guard sign == "+" || sign == "-",
      let number = TemplateNumber.parse(text.dropFirst().trimmed), number <= MessageTemplate.maximumSize,
      text.count > 1
    else { return nil }
    return sign == "+" ? number : -number
  }
}
