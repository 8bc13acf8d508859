import TestSupport
import Testing

@testable import Definitions

/// The index of keys in the reference: a row for each object of the language, with its keys and the chapter that describes them.
@Suite struct KeyIndexTests {
  struct Row {
    let keys: Substring
    let chapter: Page
  }

  private static let rows = try! Page("Peripherals/language/README.md").text.split(separator: "\n")
    .compactMap(row)

  /// `| an object | its keys | [its section](chapter.md#section) |`
  private static func row(_ line: Substring) -> Row? {
    line.wholeMatch(of: /\| .* \| (`.*`) \| \[.*\]\(([a-z]+\.md)#[a-z-]+\) \|/).map { match in
      Row(keys: match.1, chapter: try! Page("Peripherals/language/\(match.2)"))
    }
  }

  @Test(arguments: Language.objects)
  func `the index has an object's keys, in order, and its chapter describes them`(object: ObjectShape) throws
  {
    let keys = object.keys.map { "`\($0.name)`" }.joined(separator: ", ")
    let row = try #require(Self.rows.first { $0.keys == keys }, "no row with the keys \(keys)")
    for key in object.keys.map(\.name) {
      let isDescribed = ["`\(key)`", "`\(key):", "\(key):"].contains { row.chapter.text.contains($0) }
      #expect(isDescribed, "\(row.chapter) says nothing of '\(key)'")
    }
  }
}
