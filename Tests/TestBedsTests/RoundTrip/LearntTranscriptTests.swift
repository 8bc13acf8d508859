import DeviceModel
import EventLoop
import Glibc
import Learning
import RoundTrip
import TestSupport
import Testing
import Transcripts

@testable import TestBeds

/// The transcripts that `blemu learn` writes of the bundled devices, with the devices that were learnt.
@Suite struct LearntTranscriptTests {
  /// The keyboard refuses a central that has its keys and does not use them, which the central of a transcript always does.
  private static let impossible = ["ble-keyboard": ["Connection 3"]]

  @EventLoop @Test func `a section passes if every response and value of its connections is as recorded`()
    async throws
  {
    var (passed, all): (Int, Int) = (0, 0)
    for name in library.names {
      let double = try await BundledRoundTrips.trip(of: name).double
      let conversations = double.learner.conversations
      guard
        let transcript = try await RecordedTranscript(of: double.checked, conversations, double.learner.table)
      else {
        #expect(conversations.allSatisfy { $0.exchanges.isEmpty }, "no transcript of \(name)")
        continue
      }
      let different = conversations.indices.filter { !double.checked.result.isAsRecorded($0) }
        .map { "Connection \($0 + 1)" }
      let failed = transcript.results.filter { $0.failure != nil }.map(\.title)
      #expect(
        Set(failed).isSubset(of: different + Self.impossible[name, default: []]), "\(transcript.failures)")
      all += transcript.results.count
      passed += transcript.results.count - failed.count
    }
    if getenv("BLEMU_SHOW") != nil { print("\(passed) of \(all) sections of the learnt transcripts pass") }
    #expect(passed * 100 >= all * 95, "\(passed) of \(all)")
  }
}
