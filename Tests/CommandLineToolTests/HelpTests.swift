import TestSupport
import Testing

@testable import CommandLineTool

/// Compares help texts with the files in `Help`: one for each command, and `overview`.
@Suite struct HelpTests {
  private static let folder = Repository.path + "Tests/CommandLineToolTests/Help"

  @Test(arguments: Snapshot.all(in: [folder]))
  func `the help text is as expected`(snapshot: Snapshot) throws {
    let name = String(snapshot.path.dropFirst(Self.folder.count + 1))
    guard name != "overview" else { return try snapshot.expect(Help().overview) }
    try snapshot.expect(Help().text(for: #require(Command.named(name))))
  }

  @Test(arguments: ["overview"] + Command.all.map(\.name))
  func `every help text has a file`(name: String) {
    #expect(Repository.names(in: Self.folder).contains(name + ".expected"))
  }

  @Test(arguments: ["overview"] + Command.all.map(\.name))
  func `help wraps at the width of the terminal`(name: String) {
    var help = Help()
    help.width = 60
    let text = Command.named(name).map(help.text(for:)) ?? help.overview
    let examples = Command.named(name)?.examples.map { "  \($0.line)" } ?? []
    for line in text.split(separator: "\n").map(String.init)
    where line.count > 60 && !examples.contains(line) && !line.hasPrefix("usage: ") {
      #expect(line.split(separator: " ").count == 1, "\(line)")
    }
  }
}
