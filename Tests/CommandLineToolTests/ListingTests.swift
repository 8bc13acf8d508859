import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct ListingTests {
  private let shell = Shell()
  private let library = DefinitionLibrary.ofThisProgram()
  private static let all = ListedSection.all(of: .ofThisProgram())

  private func names(_ word: String) -> [String] {
    Self.all.compactMap { $0.matching(word) }.flatMap(\.entries).map(\.name)
  }

  @Test func `all bundled definitions are listed, by group`() {
    #expect(Self.all.flatMap(\.entries).map(\.name).sorted() == library.names)
    let output = shell.run("blemu list").output
    #expect(output.contains("\nSerial modules\n  cc41-a "))
    for name in library.names { #expect(output.contains("\n  \(name) ")) }
  }

  @Test(arguments: [("HEART", "heart-rate-belt"), ("xbee-p", "xbee-pair"), ("jnhuamao", "hm-10")])
  func `a word selects by name and summary, in either case`(word: String, name: String) {
    #expect(names(word).contains(name))
    #expect(names(word).count < library.names.count)
  }

  @Test func `a group is a word, too`() throws {
    let scales = try #require(library.groups.first { $0.name == "scales" })
    #expect(Set(scales.definitions).isSubset(of: names("scales")))
    #expect(names("serial modules").contains("hm-10"))
  }

  @Test func `a word that nothing has is an error`() {
    let expected = Shell.Result(
      status: 66, output: "",
      error:
        "blemu: no bundled device has 'xyzzy' in its name, summary or group\n  'blemu list' lists all of them\n"
    )
    #expect(shell.run("blemu list xyzzy") == expected)
  }

  @Test func `summaries wrap at the width of a terminal, and nowhere else`() throws {
    let section = try #require(Self.all.compactMap { $0.matching("jnhuamao") }.first)
    for line in section.text(column: 16, width: 60).split(separator: "\n") { #expect(line.count <= 60) }
    let lines = section.text(column: 16, width: nil).split(separator: "\n")
    #expect(lines.count == 1 + section.entries.count)
  }

  @Test func `JSON has an object for each definition, with stable names`() throws {
    let lines = shell.run("blemu list --json hm-10").output.split(separator: "\n")
    let line = try #require(lines.first { $0.contains("\"name\": \"hm-10\"") })
    let path = try #require(library.path(of: "hm-10"))
    #expect(
      line.hasPrefix(
        "{\"name\": \"hm-10\", \"group\": \"serial-modules\", \"file\": \"\(path)\", \"device\": \"HM-10\", \"summary\": \""
      ))
  }
}
