/// The names that the expressions of a face read. Other checks report mistakes in them.
enum FaceNames {
  /// - Parameter text: the SVG; nil: there is none.
  static func read(in text: String?, _ scope: NameScope) -> Set<String> {
    guard let text else { return [] }
    let attributes = XMLScanner.read(SourceText(name: "", text: text)).attributes
    return Set(
      attributes.flatMap(expressions).flatMap {
        (try? ExpressionParser.parse($0, isName: scope.isName).names) ?? []
      })
  }

  private static func expressions(of attribute: XMLScanner.Attribute) -> [String] {
    guard attribute.name.hasPrefix("data-") else { return [] }
    if attribute.name == "data-if" { return [attribute.value] }
    return ((try? TemplateText(attribute.value).parts) ?? []).compactMap {
      if case .hole(let hole) = $0 { hole.name } else { nil }
    }
  }
}
