/// The results of the sections of one transcript.
package struct TranscriptResult: Sendable {
  /// The path of the transcript.
  package var name: String
  package var sections: [SectionResult]
  /// Whether the transcript or its definition has mistakes, so that no section has run.
  package let isBroken: Bool

  package init(name: String, sections: [SectionResult], isBroken: Bool = false) {
    self.name = name
    self.sections = sections
    self.isBroken = isBroken
  }

  package var failureCount: Int { sections.count { $0.failure != nil } }

  package var duration: Duration { sections.reduce(.zero) { $0 + $1.duration } }
}

extension [TranscriptResult] {
  package var failureCount: Int { reduce(0) { $0 + $1.failureCount } }

  package var sectionCount: Int { reduce(0) { $0 + $1.sections.count } }

  package var brokenCount: Int { count(where: \.isBroken) }

  /// `12 passed, 1 failed`; `3 passed, 0 failed, 1 file not run because of mistakes`
  package var summary: String {
    let counts = "\(sectionCount - failureCount) passed, \(failureCount) failed"
    return brokenCount == 0
      ? counts : "\(counts), \(Phrase.count(brokenCount, "file")) not run because of mistakes"
  }
}
