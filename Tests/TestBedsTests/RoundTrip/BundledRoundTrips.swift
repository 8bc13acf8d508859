import EventLoop
import RoundTrip
import TestBeds

/// What is learnt from the bundled devices in memory, once for all tests.
@EventLoop
enum BundledRoundTrips {
  private static var known: [String: RoundTrip] = [:]

  static func trip(of name: String) async throws -> RoundTrip {
    if let trip = known[name] { return trip }
    let trip = try await RoundTrip(of: name, on: LoopbackTestBed())
    known[name] = trip
    return trip
  }
}
