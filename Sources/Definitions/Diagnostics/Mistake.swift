/// A mistake in a file that a person wrote. Cases carry facts; ``sentences`` holds the words.
package protocol Mistake {
  /// What is wrong, and in a few words how to correct it.
  var sentences: (message: String, hint: String?) { get }
}

extension Diagnostic {
  /// - Parameter notes: explanations, a line each.
  package init(_ mistake: some Mistake, at range: SourceRange, notes: [String] = []) {
    let (message, hint) = mistake.sentences
    self.init(.error, message, at: range, hint: hint, notes: notes)
  }
}

extension DiagnosticLog {
  /// - Parameter notes: explanations, a line each.
  package func error(_ mistake: some Mistake, at range: SourceRange, notes: [String] = []) {
    let (message, hint) = mistake.sentences
    error(message, at: range, hint: hint, notes: notes)
  }

  package func warn(_ mistake: some Mistake, at range: SourceRange) {
    let (message, hint) = mistake.sentences
    warn(message, at: range, hint: hint)
  }
}

extension TextError {
  init(_ mistake: some Mistake, _ range: Range<Int>) {
    let (message, hint) = mistake.sentences
    self.init(message: message, range: range, hint: hint)
  }
}
