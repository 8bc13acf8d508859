import Behavior
import Definitions
import Foundation
import TestSupport
import Testing

@testable import TrafficView

/// The program writes an event in one place. The page and the documentation repeat its name, its mark and its members.
@Suite struct EventNameTests {
  private static let events = SampleTraffic.events + SampleTraffic.further

  /// The members of the JSON objects by event, and the marks of the lines.
  private static func members(of name: EventName) throws -> Set<String> {
    var members: Set<String> = []
    for event in events where event.name == name {
      let text = JSONFormat().text(for: event, at: SampleTraffic.time)
      let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(object["event"] as? String == name.rawValue)
      members.formUnion(object.keys)
    }
    return members.subtracting(["time", "event"])
  }

  private static func marks(of name: EventName) -> Set<String> {
    let time = "12:01:03.221  "
    return Set(
      events.filter { $0.name == name }.map {
        let line = TextFormat().text(for: $0, at: SampleTraffic.time)
        return line.count > time.count && line.dropFirst(2).first == ":"
          ? String(line.dropFirst(time.count).prefix(1)) : " "
      })
  }

  @Test(arguments: EventName.allCases)
  func `there is an example of each`(name: EventName) throws {
    #expect(try !Self.members(of: name).isEmpty)
  }

  // MARK: The page

  /// The lines of the page's table: `disconnected: ["−", "link", "disconnected", …`.
  private static func page() throws -> [String: String] {
    let script = try TextFile.read(Repository.path + "Sources/control/PageFiles/files/event-words.js")
    let lines = script.matches(of: /(?m)^  "?([a-z-]+)"?: \["(.?)", "[a-z]+", "/)
    return Dictionary(uniqueKeysWithValues: lines.map { (String($0.1), String($0.2)) })
  }

  @Test func `the page knows each`() throws {
    // A gap is what the page itself finds.
    #expect(try Set(Self.page().keys) == Set(EventName.allCases.map(\.rawValue) + ["gap"]))
  }

  @Test func `the page's marks are those of the log`() throws {
    let page = try Self.page()
    for name in EventName.allCases where name != .frame {  // the page shows it like what is decoded
      let mark = page[name.rawValue]?.replacingOccurrences(of: "−", with: "-") ?? ""
      if !mark.isEmpty { #expect(Self.marks(of: name) == [mark], "\(name)") }
    }
  }

  // MARK: The documentation

  /// The rows of the tables of events: the names, and the words in code of the row and of those below it that have no name.
  private static let rows: [(names: [String], words: Set<String>)] = Page.all.flatMap { page in
    var rows: [(names: [String], words: Set<String>)] = []
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
      let words = Set(cells.dropFirst(2).joined())
      if cells[1].contains(where: { $0.contains("\"") }) {
        rows[rows.count - 1].words.formUnion(words)
      } else if !cells[1].isEmpty {
        rows.append((cells[1], words))
      }
    }
    return rows
  }

  private static func words(_ cell: Substring) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map {
        String($0.element)
      }
  }

  @Test func `the documentation lists each once, except frames, which only the control protocol has`() {
    let names = EventName.allCases.map(\.rawValue).filter { $0 != "frame" }
    #expect(Self.rows.flatMap(\.names).filter { $0 != "frame" }.sorted() == names.sorted())
  }

  @Test func `the documentation lists the members of each`() throws {
    for row in Self.rows {
      for name in row.names {
        let members = try Self.members(of: #require(EventName(rawValue: name)))
        #expect(members.subtracting(row.words) == [], "\(name)")
      }
    }
  }
}
