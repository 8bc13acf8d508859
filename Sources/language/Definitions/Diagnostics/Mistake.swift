/// A mistake in a file that a person wrote: what is wrong, and in a few words how to correct it.
///
/// Each is a static function, in a file of its subject.
package struct Mistake: Hashable, Sendable {
  package let message: String
  package let hint: String?

  package init(_ message: String, _ hint: String? = nil) {
    (self.message, self.hint) = (message, hint)
  }
}

extension Diagnostic {
  /// - Parameter notes: explanations, a line each.
  package init(_ mistake: Mistake, at range: SourceRange, notes: [String] = []) {
    self.init(.error, mistake.message, at: range, hint: mistake.hint, notes: notes)
  }
}

extension DiagnosticLog {
  /// - Parameter notes: explanations, a line each.
  package func error(_ mistake: Mistake, at range: SourceRange, notes: [String] = []) {
    error(mistake.message, at: range, hint: mistake.hint, notes: notes)
  }

  package func warn(_ mistake: Mistake, at range: SourceRange) {
    warn(mistake.message, at: range, hint: mistake.hint)
  }
}

extension TextError {
  init(_ mistake: Mistake, _ range: Range<Int>) {
    self.init(message: mistake.message, range: range, hint: mistake.hint)
  }
}
