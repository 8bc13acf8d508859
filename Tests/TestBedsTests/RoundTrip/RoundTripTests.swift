import EventLoop
import Glibc
import RoundTrip
import TestBeds
import TestSupport
import Testing

/// Records the transcripts of each bundled device, learns the recording, and runs the transcripts with what was learnt in the
/// place of the device.
@Suite struct RoundTripTests {
  @EventLoop @Test func `what is learnt from a bundled device passes its transcripts`() async throws {
    var rows: [RoundTrip] = []
    for name in library.names {
      do { rows.append(try await BundledRoundTrips.trip(of: name)) } catch {
        Issue.record("\(name) cannot be learnt: \(error)")
      }
    }
    let (passed, possible) = (rows.reduce(0) { $0 + $1.passed }, rows.reduce(0) { $0 + $1.possible })
    if getenv("BLEMU_SHOW") != nil {
      print((rows.map(\.description) + ["\(passed) of \(possible)"]).joined(separator: "\n"))
    }
    #expect(rows.filter { !$0.hasTable }.map(\.name) == [])
    #expect(rows.filter { !$0.hasPackets }.map(\.name) == [])
    #expect(passed * 100 >= possible * 92, "\(passed) of \(possible) sections pass")
  }
}
