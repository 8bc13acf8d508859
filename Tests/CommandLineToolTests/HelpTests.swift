import TestSupport
import Testing

@testable import CommandLineTool

/// Compares help texts with the files in `Help`: one for each command, and `overview`.
@Suite struct HelpTests {
  private static let folder = Repository.path + "Tests/CommandLineToolTests/Help"

  @Test(arguments: Snapshot.all(in: [folder]))
  func `the help text is as expected`(snapshot: Snapshot) throws {
    let name = String(snapshot.path.dropFirst(Self.folder.count + 1))
    guard name != "overview" else { return try snapshot.expect(Help.overview) }
    try snapshot.expect(Help.text(for: #require(Command(rawValue: name))))
  }

  @Test(arguments: ["overview"] + Command.allCases.map(\.rawValue))
  func `every help text has a file`(name: String) {
    #expect(Repository.names(in: Self.folder).contains(name + ".expected"))
  }
}
