import EventLoop
import Testing

@testable import Faults

/// What faults do to requests and confirmations.
@Suite struct RequestFaultTests {
  @EventLoop
  @Test(arguments: [
    ("refuse insufficient-authentication on up", "01", "0  insufficient-authentication"),
    ("refuse 0x80", nil, "0  application-error-80"),
    ("refuse write-not-permitted on down", "01", "0  accepted"),
    ("refuse write-not-permitted every 2nd", "01", "0  accepted"),
    ("refuse write-not-permitted message total", "01", "0  accepted"),
    ("answer 2s late on up", "01", "2000  accepted"),
    ("answer 2s late on up", nil, "2000  2A"),
    ("answer never on up", "01", "nothing"),
    ("delay 3s in", "01", "3000  accepted"),
    ("drop in", "01", "0  accepted"),
    ("reorder in", "01", "0  accepted"),
    ("split into 2 pieces in", "01 02", "0  accepted"),
  ])
  func `a request gets its response as the fault says`(
    fault: String, request: String?, response: String
  ) async throws {
    let bench = try await FaultBench([fault])
    try bench.connect()
    #expect(bench.request(request) == response)
  }

  @EventLoop @Test func `a refused request does not reach the device`() async throws {
    let bench = try await FaultBench(["refuse insufficient-authentication on up 2 times"])
    try bench.connect()
    let responses = (1...3).map { _ in bench.request("01").split(separator: " ").last! }
    #expect(responses == ["insufficient-authentication", "insufficient-authentication", "accepted"])
    #expect(bench.received == ["80000  01"])
    #expect(bench.strikes.map(\.ordinal) == [1, 2] && bench.stage.list[0].isSpent)
  }

  @EventLoop
  @Test(arguments: [
    ("confirm 2s late", ["0  01", "2000  02", "4000  03"]),
    ("confirm never", ["0  01"]),
    ("confirm 2s late once", ["0  01", "2000  02", "2000  03"]),
  ])
  func `the next indication waits for a confirmation that is late`(
    fault: String, received: [String]
  ) async throws {
    let bench = try await FaultBench([fault])
    try bench.connect()
    bench.write(["59 01"])
    bench.scheduler.advance(by: .seconds(20))
    #expect(bench.received.filter { $0.count < 9 } == received)
  }
}
