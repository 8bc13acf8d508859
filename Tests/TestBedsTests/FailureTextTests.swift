import Definitions
import DeviceModel
import Testing
import TestSupport

/// Compares the reports of failed conversations with the files in `Failures`.
@Suite struct FailureTextTests {
  @Test(arguments: Snapshot.all(in: [Repository.path + "Tests/TestBedsTests/Failures"]))
  func `the report is as expected`(snapshot: Snapshot) async throws {
    try await snapshot.expect(report(of: snapshot.input("transcript"), with: snapshot.device))
  }
}

extension Snapshot {
  /// The device of `NAME.yaml` next to the transcript if there is one, otherwise the common test device.
  fileprivate var device: PeripheralDefinition {
    (try? input("yaml")).map { try! define($0) } ?? TestBedsTests.device
  }
}
