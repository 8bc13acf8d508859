/// An error in a definition file, a warning or a note: what is wrong, where, and how to correct it.
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning, note
  }

  package var severity: Severity
  package var message: String
  package var range: SourceRange
  /// What to do next, in a few words; printed after the caret.
  package var hint: String?
  /// Explanations, a line each; printed below the caret.
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
  /// The most scalars of a sentence. A quotation from the file may be longer.
  private static let longestSentence = 1000

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > longestSentence else { return text }
    let scalars = text.unicodeScalars.prefix(longestSentence)
    return scalars.endIndex == text.endIndex ? text : String(scalars: scalars) + "…"
  }
}

/// Collects the diagnostics of a definition, so that the author sees all of them at once.
package final class DiagnosticLog {
  /// The most errors: nobody reads more, and finding more may be slow.
  static let mostErrors = 500
  private static let mostWarnings = 500

  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var hasErrors = false
  /// Whether the log is full, so that checking can stop.
  package private(set) var isClosed = false
  /// The diagnostics so far by line, so that none is reported twice.
  private var reported: [Int: [Diagnostic]] = [:]
  private var warningCount = 0
  /// Comes last.
  private var closing: Diagnostic?
  /// The parts that the mistakes so far hide.
  var gaps = DefinitionGaps()
  /// The lines with a text that a comma has cut. An empty text there is its rest.
  var cutLines: Set<Int> = []
  /// The places of actions that several rules perform. A mistake there names the rule, and is reported once.
  var sharedPlaces: [SourceRange] = []
  /// The rule that is being read, as in "the rule in line 12".
  var reader = ""
  /// Called with each text that has been read without a mistake.
  var didRead: ((Scalar) -> Void)?

  package init() {}

  /// The errors and warnings in the order of the file, then the notes. Those of other files follow.
  package var sorted: [Diagnostic] {
    let sorted = diagnostics.sorted { $0.range.isBefore($1.range) }
    return sorted.filter { $0.severity != .note } + (closing.map { [$0] } ?? [])
      + sorted.filter { $0.severity == .note }
  }

  /// Whether an unknown name follows from a reported mistake: it is no name, or may be the rest of a cut text.
  func isConsequence(_ name: Scalar) -> Bool {
    !Identifier.isValid(name.text) || cutLines.contains(name.range.start.line)
  }

  /// Whether there is an error with exactly this range.
  func hasError(at range: SourceRange) -> Bool {
    diagnostics.contains { $0.severity == .error && $0.range == range }
  }

  package func report(_ diagnostic: Diagnostic) {
    guard !isClosed else { return }
    let isShared = sharedPlaces.contains { $0.contains(diagnostic.range) }
    var key = diagnostic
    if isShared { key.hint = nil }  // it may list the names of one rule
    let line = key.range.start.line
    guard reported[line]?.contains(key) != true else { return }
    reported[line, default: []].append(key)
    var diagnostic = diagnostic
    if isShared { diagnostic.notes.append("performed by \(reader)") }
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

  /// Reports an error that makes further checks pointless.
  func close(with mistake: Mistake, at range: SourceRange) {
    error(mistake, at: range)
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
