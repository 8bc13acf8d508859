import TestSupport
import Testing

@testable import CommandLineTool

/// The chapters that `blemu help` shows.
@Suite struct HelpTopicTests {
  private let shell = Shell()

  @Test(arguments: HelpTopic.all.map(\.name))
  func `help shows every topic, without a pager where output is no terminal`(name: String) {
    let result = shell.run("PAGER='echo no' blemu help \(name)")
    #expect(result.status == 0 && result.error == "", "\(result)")
    #expect(result.output.split(separator: "\n").count > 3)
    #expect(!result.output.contains("\u{1B}") && !result.output.hasPrefix("no"))
  }

  @Test func `every exit status is explained`() throws {
    let text = try Help().text(for: #require(.named("exit-status")), of: .ofThisProgram())
    for status in CommandLineTool.ExitStatus.allCases {
      #expect(text.split(separator: "\n").contains { $0.hasPrefix("\(status.rawValue) ") })
    }
  }

  @Test func `the page of the command line has the same exit statuses`() throws {
    let path = Repository.path + "Peripherals/guide/running.md"
    let rows = String(decoding: try #require(Repository.bytes(ofFile: path)), as: UTF8.self)
      .split(separator: "\n").map { $0.filter { $0 != "`" } }
    for status in CommandLineTool.ExitStatus.allCases {
      #expect(rows.contains("| \(status.rawValue) | \(status.meaning) |"))
    }
  }

  @Test func `an unknown topic names the nearest`() {
    let known = Command.all.map(\.name) + HelpTopic.all.map(\.name)
    let error = CommandError.unknownTopic("transcript", known: known)
    #expect(error.message == "there is no command or topic 'transcript'")
    #expect(error.hint == "did you mean 'blemu help transcripts'?")
    #expect(shell.run("blemu help nonsense").status == ExitStatus.usage.rawValue)
  }

  @Test func `a library without chapters says so`() throws {
    let topic = try #require(HelpTopic.named("faults"))
    #expect(throws: CommandError.self) { try topic.page(of: DefinitionLibrary(folder: nil)) }
    let folder = TemporaryFolder(["language/faults.md": "# Faults\n"])
    #expect(try topic.page(of: DefinitionLibrary(folder: folder.path)) == "# Faults\n")
  }

  @Test func `a terminal shows a chapter through the pager`() {
    let folder = TemporaryFolder([:])
    let terminal = PlayTerminal(
      ["exit-status"], command: "help", home: folder, variables: ["PAGER=sed s/^/page:/"])
    #expect(terminal.shows("page:Exit statuses"))
  }

  @Test func `without the pager, a terminal shows it at once`() {
    let folder = TemporaryFolder([:])
    let terminal = PlayTerminal(
      ["exit-status"], command: "help", home: folder, variables: ["PAGER=no-such-pager"])
    #expect(terminal.shows("Exit statuses"))
  }
}
