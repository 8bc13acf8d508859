/// One thing to say about a definition file: what is wrong, where, and what to do about it.
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package var severity: Severity
  package var message: String
  package var range: SourceRange
  /// What to do next, in a few words; printed behind the caret.
  package var hint: String?
  /// What explains it, a line each; printed beneath the caret.
  package var notes: [String]

  package init(
    _ severity: Severity, _ message: String, at range: SourceRange, hint: String? = nil, notes: [String] = []
  ) {
    self.severity = severity
    self.message = message
    self.range = range
    self.hint = hint
    self.notes = notes
  }
}

/// Collects what there is to say about a definition, so that all of it is said at once.
package final class DiagnosticLog {
  package private(set) var diagnostics: [Diagnostic] = []

  package init() {}

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// What is said, each thing once, in the order of the file; those that it extends and those beside it come behind.
  package var sorted: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return diagnostics.filter { seen.insert($0).inserted }.sorted { $0.range.isBefore($1.range) }
  }

  /// Whether something is wrong with just what stands there.
  func hasError(at range: SourceRange) -> Bool {
    diagnostics.contains { $0.severity == .error && $0.range == range }
  }

  package func report(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }

  package func error(
    _ message: String, at range: SourceRange, hint: String? = nil, notes: [String] = []
  ) {
    report(Diagnostic(.error, message, at: range, hint: hint, notes: notes))
  }

  package func warn(_ message: String, at range: SourceRange, hint: String? = nil) {
    report(Diagnostic(.warning, message, at: range, hint: hint))
  }
}
