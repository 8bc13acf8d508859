import Behavior
import Definitions
import TestSupport
import Testing

@testable import TrafficView

/// Each kind of event has one row that describes it. What the program writes, the page and the documentation are compared
/// with that row.
@Suite struct JSONEventTests {
  /// The description of an event, or of several that are alike.
  private struct Row {
    var names: [String]
    /// The words in code.
    var members: Set<String>
  }

  private static let rows = JSONEvents.page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    .map {
      let cells = $0.split(separator: "|")
      return Row(names: cells[0].split { " ,".contains($0) }.map(String.init), members: Set(words(cells[1])))
    }

  private static let names = rows.flatMap(\.names)

  private static func words(_ cell: Substring) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  private static func row(_ name: String) throws -> Row {
    try #require(rows.first { $0.names.contains(name) }, "\(name)")
  }

  private static let events = SampleTraffic.events + SampleTraffic.further

  /// The members that the description of all events explains.
  private static let common: Set = ["time", "event", "device", "fields", "byte-fields"]

  private static func object(_ event: TrafficEvent.Kind) throws -> [String: Any] {
    try JSONFormatTests.object(JSONFormat(SampleTraffic.messages).text(for: event, at: SampleTraffic.time))
  }

  private static func name(of event: TrafficEvent.Kind) throws -> String {
    try #require(try object(event)["event"] as? String)
  }

  @Test func `every event is described once`() {
    #expect(Self.names.count == Set(Self.names).count)
    #expect(Self.rows.allSatisfy { !$0.members.isEmpty })
  }

  // MARK: What the program writes

  @Test(arguments: events)
  func `every member that is written is described`(event: TrafficEvent.Kind) throws {
    let description = try Self.row(Self.name(of: event))
    #expect(
      try Set(Self.object(event).keys).subtracting(Self.common).subtracting(description.members) == [])
  }

  @Test func `every event and every member that is described is written`() throws {
    var written: [String: Set<String>] = [:]
    for event in Self.events {
      try written[Self.name(of: event), default: []].formUnion(Self.object(event).keys)
    }
    #expect(Set(written.keys) == Set(Self.names))
    for row in Self.rows {
      let members = row.names.reduce(into: Set<String>()) { $0.formUnion(written[$1] ?? []) }
      #expect(row.members.subtracting(members) == [], "\(row.names)")
    }
  }

  @Test func `the program writes no other event`() throws {
    let source = try TextFile.read(Repository.path + "Sources/control/TrafficView/JSONFormat.swift")
    #expect(Set(source.matches(of: /begin\(&object, "([a-z-]+)"/).map { String($0.1) }) == Set(Self.names))
  }

  // MARK: The page

  /// The lines of the page's table: `disconnected: ["−", "link", "disconnected", …`.
  private static func page() throws -> [String: (mark: String, members: Set<String>)] {
    let script = try TextFile.read(Repository.path + "Sources/control/PageFiles/files/event-words.js")
    let lines = script.matches(of: /(?m)^  "?([a-z-]+)"?: \["(.?)", "[a-z]+", "(.*)$/)
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let members = line.3.matches(of: /\bit(?:\.([a-z]+)|\["([a-z-]+)"\])/).map {
          String($0.1 ?? $0.2 ?? "")
        }
        return (String(line.1), (String(line.2), Set(members)))
      })
  }

  @Test func `the page knows each`() throws {
    // A gap is what the page itself finds.
    #expect(try Set(Self.page().keys) == Set(Self.names + ["gap"]))
  }

  @Test func `the page reads members that the event has`() throws {
    let page = try Self.page()
    #expect(page["encrypted"]?.members == ["level", "key-size"])
    for (name, line) in page where name != "gap" {
      #expect(try line.members.subtracting(Self.row(name).members) == [], "\(name)")
    }
  }

  private static func marks(of name: String) throws -> Set<String> {
    let time = "12:01:03.221  "
    return Set(
      try events.filter { try Self.name(of: $0) == name }.map {
        let line = TextFormat().text(for: $0, at: SampleTraffic.time)
        return line.count > time.count && line.dropFirst(2).first == ":"
          ? String(line.dropFirst(time.count).prefix(1)) : " "
      })
  }

  @Test func `the page's marks are those of the log`() throws {
    let page = try Self.page()
    for name in Self.names where name != "frame" {  // the page shows it like what is decoded
      let mark = page[name]?.mark.replacing("−", with: "-") ?? ""
      if !mark.isEmpty { #expect(try Self.marks(of: name) == [mark], "\(name)") }
    }
  }

  // MARK: The documentation

  /// The rows of the tables of events, each with the words of those below it that have no name.
  private static let documentation: [Row] = Page.all.flatMap { page in
    var rows: [Row] = []
    var isInTable = false
    for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("| `event` |") {
        isInTable = true
        continue
      }
      guard isInTable, line.hasPrefix("|") else {
        isInTable = false
        continue
      }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(words)
      let members = Set(cells.dropFirst(2).joined())
      if cells[1].contains(where: { $0.contains("\"") }) {
        rows[rows.count - 1].members.formUnion(members)
      } else if !cells[1].isEmpty {
        rows.append(Row(names: cells[1], members: members))
      }
    }
    return rows
  }

  @Test func `the documentation lists each once, except frames, which only the control protocol has`() {
    let names = Self.names.filter { $0 != "frame" }
    #expect(Self.documentation.flatMap(\.names).filter { $0 != "frame" }.sorted() == names.sorted())
  }

  @Test func `the documentation lists the members of each`() throws {
    for row in Self.documentation {
      for name in row.names {
        #expect(try Self.row(name).members.subtracting(row.members) == [], "\(name)")
      }
    }
  }
}
