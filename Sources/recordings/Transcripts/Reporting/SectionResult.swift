/// The result of a section.
package struct SectionResult: Sendable {
  package var title: String
  /// The line number of the title.
  package var line: Int
  /// The real time that the section took.
  package var duration: Duration
  /// nil: it passed.
  package var failure: SectionFailure?

  package init(title: String, line: Int, duration: Duration = .zero, failure: SectionFailure? = nil) {
    (self.title, self.line) = (title, line)
    (self.duration, self.failure) = (duration, failure)
  }
}

/// The point at which a conversation differed from its transcript.
package struct SectionFailure: Sendable {
  /// The line number; that of the section's last line for output after it.
  package var line: Int
  package var message: String
  /// The conversation around the failure.
  package var rows: [ConversationRow]

  package init(line: Int, message: String, rows: [ConversationRow]) {
    (self.line, self.message, self.rows) = (line, message, rows)
  }
}

/// A row of the report: the expected and the actual conversation.
package struct ConversationRow: Hashable, Sendable {
  package var line: Int?
  package var expected: String
  /// The time since the section began.
  package var time: Duration?
  package var actual: [String]
  package var isFailure = false

  package init(
    line: Int?, expected: String, time: Duration? = nil, actual: [String], isFailure: Bool = false
  ) {
    (self.line, self.expected, self.time, self.actual) = (line, expected, time, actual)
    self.isFailure = isFailure
  }
}
