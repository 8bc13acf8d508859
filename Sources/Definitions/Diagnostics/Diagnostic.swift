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
    self.message = Self.cut(message)
    self.range = range
    self.hint = hint.map(Self.cut)
    self.notes = notes.map(Self.cut)
  }
}

extension Diagnostic {
  /// Scalars of a sentence; what it quotes from the file may be longer.
  private static let longestSentence = 1000

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > longestSentence else { return text }
    let scalars = text.unicodeScalars.prefix(longestSentence)
    return scalars.endIndex == text.endIndex ? text : String(scalars: scalars) + "…"
  }
}

/// Collects what there is to say about a definition, so that all of it is said at once.
package final class DiagnosticLog {
  /// Who has made so many mistakes does not read on; and to look for more may take long.
  static let mostErrors = 500
  private static let mostWarnings = 500

  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var hasErrors = false
  /// Whether nothing more is taken, so that to look for more is in vain.
  package private(set) var isClosed = false
  /// Nothing is said twice.
  private var said: Set<Diagnostic> = []
  private var warningCount = 0
  /// What is said behind all else.
  private var closing: Diagnostic?

  package init() {}

  /// What is said, in the order of the file; those that it extends and those beside it come behind.
  package var sorted: [Diagnostic] {
    diagnostics.sorted { $0.range.isBefore($1.range) } + (closing.map { [$0] } ?? [])
  }

  /// Whether something is wrong with just what stands there.
  func hasError(at range: SourceRange) -> Bool {
    diagnostics.contains { $0.severity == .error && $0.range == range }
  }

  package func report(_ diagnostic: Diagnostic) {
    guard !isClosed, said.insert(diagnostic).inserted else { return }
    guard diagnostic.severity == .error else { return add(warning: diagnostic) }
    hasErrors = true
    diagnostics.append(diagnostic)
    guard diagnostics.count - warningCount >= Self.mostErrors else { return }
    isClosed = true
    closing = Diagnostic(
      .error, "there are more mistakes than these \(Self.mostErrors)", at: diagnostic.range,
      hint: "correct these first")
  }

  private func add(warning: Diagnostic) {
    guard warningCount < Self.mostWarnings else { return }
    warningCount += 1
    diagnostics.append(warning)
  }

  /// Reports what makes it vain to look further.
  func close(with message: String, at range: SourceRange, hint: String? = nil) {
    error(message, at: range, hint: hint)
    isClosed = true
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
