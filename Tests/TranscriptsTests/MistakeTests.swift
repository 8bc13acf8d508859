import Definitions
import DeviceModel
import TestSupport
import Testing

@testable import Transcripts

/// What a person reads of a transcript with mistakes, compared with the files in `Mistakes`.
@Suite struct MistakeTests {
  @Test(arguments: Snapshot.all(in: [Repository.path + "Tests/TranscriptsTests/Mistakes"]))
  func `a person reads the expected text`(snapshot: Snapshot) throws {
    try snapshot.expect(mistakes(snapshot.input("transcript"), in: snapshot.device))
  }
}

/// What a person reads when a conversation fails, compared with the files in `Failures`.
@Suite struct FailureTextTests {
  @Test(arguments: Snapshot.all(in: [Repository.path + "Tests/TranscriptsTests/Failures"]))
  func `a person reads the expected text`(snapshot: Snapshot) async throws {
    try await snapshot.expect(report(of: snapshot.input("transcript"), with: snapshot.device))
  }
}

extension Snapshot {
  /// The device of a `NAME.yaml` beside the transcript, or the one that most tests are about.
  fileprivate var device: PeripheralDefinition { (try? input("yaml")).map(define) ?? TranscriptsTests.device }
}
