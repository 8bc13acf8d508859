import Behavior
import TestSupport
import Testing

@testable import TrafficView

/// Compares the description of the JSON lines with what is written.
@Suite struct JSONEventTests {
  /// The members that the description of all events explains.
  private static let common: Set = ["time", "event", "device"]

  @Test(arguments: SampleTraffic.events + SampleTraffic.further)
  func `every member that is written is described`(event: TrafficEvent.Kind) throws {
    let object = try JSONFormatTests.object(JSONFormat().text(for: event, at: SampleTraffic.time))
    let name = try #require((object["event"] as? String).flatMap(EventName.init))
    let description = try #require(JSONEvent.all.first { $0.names.contains(name) })
    #expect(Set(object.keys).subtracting(Self.common).isSubset(of: description.members))
  }

  /// The page of the command line, as rows of cells.
  private static let rows: [[Substring]] = {
    let path = Repository.path + "Peripherals/guide/json.md"
    return String(decoding: Repository.bytes(ofFile: path) ?? [], as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|") }
  }()

  @Test(arguments: JSONEvent.all.flatMap(\.names).filter { $0 != .frame && $0 != .wire })
  func `the page describes the same members`(name: EventName) throws {
    let row = try #require(Self.rows.first { $0[0].split(separator: "`").contains(name.rawValue[...]) })
    let members = try #require(JSONEvent.all.first { $0.names.contains(name) }).members
    for member in members {
      #expect(row[1].split(separator: "`").contains(member[...]), "\(name): \(member)")
    }
  }

  @Test func `every event is described once`() {
    let names = JSONEvent.all.flatMap(\.names)
    #expect(names.count == Set(names).count)
    #expect(Set(names) == Set(EventName.allCases))
  }
}
