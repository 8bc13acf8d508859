import BlemuJSON

extension DiagnosticRenderer {
  /// Diagnostics for programs: one JSON object a line. The names are stable;
  /// Peripherals/guide/in-your-editor.md lists them.
  package func json(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { json($0).line + "\n" }.joined()
  }

  private func json(_ diagnostic: Diagnostic) -> JSONValue {
    let (start, end) = (diagnostic.range.start, diagnostic.range.end)
    let place: JSONValue = [
      "file": .string(source(of: diagnostic).name), "line": .integer(start.line),
      "column": .integer(start.column), "end-line": .integer(end.line), "end-column": .integer(end.column),
    ]
    return place.adding([
      "severity": .string(diagnostic.severity.rawValue),
      "message": .string(diagnostic.message),
      "hint": diagnostic.hint.map(JSONValue.string),
      "notes": diagnostic.notes.isEmpty ? nil : .array(diagnostic.notes.map(JSONValue.string)),
    ])
  }
}
