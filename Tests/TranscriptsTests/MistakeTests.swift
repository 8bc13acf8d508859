import Definitions
import DeviceModel
import TestSupport
import Testing

@testable import Transcripts

/// Compares the diagnostics of transcripts with the files in `Mistakes`.
@Suite struct MistakeTests {
  @Test(arguments: Snapshot.all(in: [Repository.path + "Tests/TranscriptsTests/Mistakes"]))
  func `the report is as expected`(snapshot: Snapshot) throws {
    try snapshot.expect(mistakes(snapshot.input("transcript"), in: snapshot.device))
  }
}

extension Snapshot {
  /// The device of `NAME.yaml` next to the transcript if there is one, otherwise the common test device.
  fileprivate var device: PeripheralDefinition {
    (try? input("yaml")).map { try! define($0) } ?? TranscriptsTests.device
  }
}
