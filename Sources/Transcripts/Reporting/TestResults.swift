/// The results of the sections of one transcript.
package struct TranscriptResult: Sendable {
  /// The path of the transcript.
  package var name: String
  package var sections: [SectionResult]

  package init(name: String, sections: [SectionResult]) {
    self.name = name
    self.sections = sections
  }

  package var failureCount: Int { sections.count { $0.failure != nil } }

  package var duration: Duration { sections.reduce(.zero) { $0 + $1.duration } }
}

extension [TranscriptResult] {
  package var failureCount: Int { reduce(0) { $0 + $1.failureCount } }

  package var sectionCount: Int { reduce(0) { $0 + $1.sections.count } }

  /// `12 passed, 1 failed`
  package var summary: String { "\(sectionCount - failureCount) passed, \(failureCount) failed" }
}
