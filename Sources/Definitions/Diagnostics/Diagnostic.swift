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
  /// The file, when it is not the definition itself (a data file beside it).
  package var file: String?

  package init(
    _ severity: Severity, _ message: String, at range: SourceRange, hint: String? = nil, file: String? = nil
  ) {
    self.severity = severity
    self.message = message
    self.range = range
    self.hint = hint
    self.file = file
  }
}

/// Collects what there is to say about one file, so that all of it is said at once.
package final class DiagnosticLog {
  package private(set) var diagnostics: [Diagnostic] = []

  package init() {}

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// What is said, each thing once, in the order of the file; the files beside it come behind.
  package var sorted: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return diagnostics.filter { seen.insert($0).inserted }.sorted { a, b in
      (a.file ?? "", a.range.start) < (b.file ?? "", b.range.start)
    }
  }

  /// Whether something is wrong with just what stands there.
  func hasError(at range: SourceRange) -> Bool {
    diagnostics.contains { $0.severity == .error && $0.file == nil && $0.range == range }
  }

  package func report(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }

  package func error(_ message: String, at range: SourceRange, hint: String? = nil) {
    report(Diagnostic(.error, message, at: range, hint: hint))
  }

  package func warn(_ message: String, at range: SourceRange, hint: String? = nil) {
    report(Diagnostic(.warning, message, at: range, hint: hint))
  }
}
