import BlemuControl
import BlemuJSON
import EventLoop
import TestSupport
import Testing

@testable import CommandLineTool

/// What `blemu mcp` offers. `Tests/Assistants` uses it as an assistant does.
@Suite struct AssistantToolTests {
  private static func tool(_ name: String) throws -> AssistantTool {
    try #require(AssistantTool.all.first { $0.name == name })
  }

  @Test func `a tool has the description and the parameters of its method`() throws {
    let tool = try Self.tool("press")
    #expect(tool.summary == ControlMethod.press.description.summary)
    #expect(tool.parameters.map(\.name) == ["device", "control", "value"])
    #expect(tool.description["inputSchema"]?["required"] == ["device", "control"])
  }

  /// With the options of each command that an assistant may use: none puts a device on an adapter or starts a program.
  @Test(arguments: [
    ("list", ["word"]),
    ("show", ["definition", "text", "name", "on", "set", "source", "json"]),
    ("check", ["files", "text", "transcript", "name", "on"]),
    ("test", ["paths", "text", "transcript", "name", "set", "filter"]),
    ("learn", ["recordings", "device", "name", "folder", "as", "table", "check", "explain"]),
    ("run", ["definition", "text", "set", "fault", "seed", "name"]),
  ])
  func `a tool has the options of its command`(name: String, parameters: [String]) throws {
    let tool = try Self.tool(name)
    #expect(Set(tool.parameters.map(\.name)) == Set(parameters))
    #expect(tool.parameters.count == parameters.count)
    #expect(tool.parameters.allSatisfy { !$0.summary.isEmpty })
  }

  @Test func `a tool of a command describes the types of its options`() throws {
    let schema = try #require(try Self.tool("run").description["inputSchema"]?["properties"])
    #expect(schema["set"]?["type"] == "array")
    #expect(schema["seed"]?["type"] == "integer")
    #expect(try Self.tool("show").description["inputSchema"]?["properties"]?["source"]?["type"] == "boolean")
    let styles = try Self.tool("learn").description["inputSchema"]?["properties"]?["as"]?["enum"]
    #expect(styles == ["model", "recording"])
  }

  @Test func `each tool has a name of its own`() {
    #expect(Set(AssistantTool.all.map(\.name)).count == AssistantTool.all.count)
  }

  /// The pages are those of this repository.
  private static let pages = AssistantPages(folder: Repository.path + "Peripherals")

  @Test func `a page has its title and its first sentence`() throws {
    let page = try #require(
      Self.pages.all.first { $0["uri"] == "blemu:///language/attributes.md" })
    #expect(page["title"] == "Services, characteristics and descriptors")
    #expect(
      page["description"]
        == "Which attributes a device has, who may do what with them, and how a central caches them.")
  }

  @Test(arguments: [
    "blemu:///../README.md", "blemu:///language/../../README.md", "blemu:///guide", "blemu:///none.md", "",
  ])
  func `there is no page outside of the folder`(uri: String) {
    #expect(throws: ControlError.self) { try Self.pages.content(of: uri) }
  }
}
