import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct DefinitionLibraryTests {
  private let library = DefinitionLibrary.ofThisProgram()

  @Test func `a built program finds the bundled definitions above itself`() throws {
    #expect(library.names.contains("hm-10"))
    #expect(library.names == library.names.sorted())
    #expect(try library.find("hm-10") == library.path(of: "hm-10"))
  }

  @Test func `a folder selects the definition inside it`() throws {
    let folder = try #require(library.folder) + "/hm-10"
    #expect(try library.find(folder) == library.path(of: "hm-10"))
    #expect(try library.find(folder + "/") == library.path(of: "hm-10"))
    #expect(throws: CommandError.self) { try library.find(library.folder!) }
  }

  @Test func `a definition may extend a bundled one`() throws {
    let folder = TemporaryFolder(["clone.yaml": "blemu: 1\nextends: hm-10\nname: Clone\n"])
    let choice = try DefinitionChoice(
      folder.path + "clone.yaml", assignments: [], on: .loopback, library: library)
    #expect(choice.definition.name == "Clone")
  }

  @Test func `a path never selects a bundled definition`() {
    let folder = TemporaryFolder([:])
    let paths = [
      folder.path + "hm-10", folder.path + "hm-10.yaml", "no-such-folder/hm-10", "no-such-file.yaml",
    ]
    for path in paths {
      #expect { try library.find(path) } throws: { ($0 as? CommandError)?.status == .noDefinition }
    }
  }
}
