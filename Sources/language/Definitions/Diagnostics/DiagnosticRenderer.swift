import Framing

/// Writes diagnostics as compilers do: `file:line:column`, the line, a caret, a hint, and notes below.
package struct DiagnosticRenderer {
  private let sources: [SourceText]
  private var style: TextStyle

  /// - Parameter sources: the files of the diagnostics, each at its ``SourceText/id``.
  package init(_ sources: [SourceText], _ style: TextStyle = .plain) {
    self.sources = sources
    self.style = style
  }

  /// The paths of the files.
  package var fileNames: [String] { sources.map(\.name) }

  func styled(_ style: TextStyle) -> DiagnosticRenderer { DiagnosticRenderer(sources, style) }

  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(render).joined(separator: "\n")
  }

  /// The path of the file of a diagnostic.
  package func name(of diagnostic: Diagnostic) -> String { source(of: diagnostic).name }

  /// The file of a diagnostic.
  func source(of diagnostic: Diagnostic) -> SourceText {
    sources[diagnostic.range.source.index]
  }

  private func render(_ diagnostic: Diagnostic) -> String {
    let source = source(of: diagnostic)
    let start = diagnostic.range.start
    var text = "\(printable(source.name)):\(start.line):\(start.column): "
    text += style.mark("\(diagnostic.severity.rawValue):", as: diagnostic.severity.role) + " "
    text += printable(diagnostic.message) + "\n"
    let number = String(start.line)
    let gutter = String(repeating: " ", count: max(5, number.count))
    text += quotation(of: diagnostic, in: source, number: number, gutter)
    return text + diagnostic.notes.map { gutter + "   " + printable($0) + "\n" }.joined()
  }

  /// The line of a diagnostic, if there is one, with the caret and the hint.
  private func quotation(
    of diagnostic: Diagnostic, in source: SourceText, number: String, _ gutter: String
  ) -> String {
    let line = source.excerpt(around: diagnostic.range.start)
    guard !line.text.isEmpty else {
      return diagnostic.hint.map { "  \(style.mark(printable($0), as: .hint))\n" } ?? ""
    }
    var text = gutter.dropFirst(number.count) + number + " | " + printable(line.text) + "\n"
    let blanks = String(repeating: " ", count: diagnostic.range.start.column - 1 - line.offset)
    text += gutter + " | " + blanks
    text += style.mark(caret(diagnostic.range, line), as: diagnostic.severity.role)
    if let hint = diagnostic.hint { text += " " + style.mark(printable(hint), as: .hint) }
    return text + "\n"
  }

  /// One column for each scalar, so that the caret is in the right column, and no control characters, which a
  /// terminal would obey.
  private func printable(_ text: String) -> String {
    String(scalars: text.unicodeScalars.map { VisibleText.isControl($0) ? " " : $0 })
  }

  private func caret(_ range: SourceRange, _ line: SourceText.Excerpt) -> String {
    let lineEnd = line.offset + line.text.unicodeScalars.count + 1
    let end = range.end.line == range.start.line ? min(range.end.column, lineEnd) : lineEnd
    return "^" + String(repeating: "~", count: max(0, end - range.start.column - 1))
  }
}

extension Diagnostic.Severity {
  fileprivate var role: TextStyle.Role {
    switch self {
    case .error: .error
    case .warning: .warning
    case .note: .heading
    }
  }
}
