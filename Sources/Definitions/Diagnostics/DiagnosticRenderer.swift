/// Writes diagnostics the way a good compiler does: `file:line:column`, the line, a caret, a hint.
package struct DiagnosticRenderer {
  private let sources: [String: SourceText]
  private let main: SourceText

  /// - Parameters:
  ///   - main: the definition file.
  ///   - others: data files beside it that diagnostics may name.
  package init(_ main: SourceText, others: [SourceText] = []) {
    self.main = main
    self.sources = Dictionary(others.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(render).joined(separator: "\n")
  }

  /// The file that it speaks of.
  func source(of diagnostic: Diagnostic) -> SourceText {
    diagnostic.file.flatMap { sources[$0] } ?? main
  }

  private func render(_ diagnostic: Diagnostic) -> String {
    let source = source(of: diagnostic)
    let start = diagnostic.range.start
    var text = "\(source.name):\(start.line):\(start.column): \(diagnostic.severity.rawValue): "
    text += printable(diagnostic.message) + "\n"
    let line = source.line(start.line)
    guard !line.isEmpty else { return text + (diagnostic.hint.map { "  \($0)\n" } ?? "") }
    let number = String(start.line)
    let gutter = String(repeating: " ", count: max(5, number.count))
    text += gutter.dropFirst(number.count) + number + " | " + printable(line) + "\n"
    text += gutter + " | " + String(repeating: " ", count: start.column - 1) + caret(diagnostic.range, line)
    if let hint = diagnostic.hint { text += " " + hint }
    return text + "\n"
  }

  /// One column for each scalar, so that the caret stands under what it means, and nothing that a terminal
  /// would obey.
  private func printable(_ text: String) -> String {
    String(scalars: text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
  }

  private func caret(_ range: SourceRange, _ line: String) -> String {
    let lineEnd = line.unicodeScalars.count + 1
    let end = range.end.line == range.start.line ? min(range.end.column, lineEnd) : lineEnd
    return "^" + String(repeating: "~", count: max(0, end - range.start.column - 1))
  }
}
