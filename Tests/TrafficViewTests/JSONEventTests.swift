import Peripheral
import Testing

@testable import TrafficView

/// Compares the description of the JSON lines with what is written.
@Suite struct JSONEventTests {
  /// The members that the description of all events explains.
  private static let common: Set = ["time", "event", "device"]

  @Test(arguments: SampleTraffic.events)
  func `every member that is written is described`(event: TrafficEvent.Kind) throws {
    let object = try JSONFormatTests.object(JSONFormat().text(for: event, at: SampleTraffic.time))
    let name = try #require(object["event"] as? String)
    let description = try #require(JSONEvent.all.first { $0.names.contains(name) })
    #expect(Set(object.keys).subtracting(Self.common).isSubset(of: description.members))
  }

  @Test func `no event is described twice`() {
    let names = JSONEvent.all.flatMap(\.names)
    #expect(Set(names).count == names.count)
  }
}
