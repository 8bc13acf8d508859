/// What has come of a section.
package struct SectionResult: Sendable {
  package var title: String
  /// Where the section begins.
  package var line: Int
  /// Real time that it took.
  package var duration: Duration
  /// nil: it passed.
  package var failure: SectionFailure?
}

/// Where a conversation went another way than its transcript.
package struct SectionFailure: Sendable {
  /// The transcript's line; the section's last where something came that no line expects.
  package var line: Int
  package var message: String
  /// The conversation, up to the failure and a little beyond.
  package var rows: [ConversationRow]
}

/// What should be, and what has been.
package struct ConversationRow: Hashable, Sendable {
  package var line: Int?
  package var expected: String
  /// Since the section's beginning.
  package var time: Duration?
  package var came: [String]
  package var isFault = false
}
