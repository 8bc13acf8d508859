import TestSupport
import Testing

@testable import CommandLineTool
@testable import Devices

@Suite struct DefinitionLibraryTests {
  private let library = DefinitionLibrary.ofThisProgram()

  @Test func `a built program finds the bundled definitions above itself`() throws {
    #expect(library.names.contains("hm-10"))
    #expect(library.names == library.names.sorted())
    #expect(try library.find("hm-10") == library.path(of: "hm-10"))
  }

  @Test func `a folder selects the definition inside it`() throws {
    let folder = try #require(library.folder) + "/serial-modules/hm-10"
    #expect(try library.find(folder) == library.path(of: "hm-10"))
    #expect(try library.find(folder + "/") == library.path(of: "hm-10"))
    #expect(throws: CommandError.self) { try library.find(library.folder!) }
  }

  @Test func `a folder is checked with all definitions and stands in it, or else in its folders`() throws {
    let yaml = "blemu: 1\nname: Lamp\n"
    let folder = TemporaryFolder([
      "a.yaml": yaml, "b.yml": "# b\n" + yaml, "c.yaml": "c: 1\n", "d.txt": yaml, "e.yaml": "stand: Desk\n",
    ])
    #expect(try library.findAll(folder.path) == ["a.yaml", "b.yml", "e.yaml"].map { folder.path + $0 })
    #expect(try library.findAll(folder.path + "a.yaml") == [folder.path + "a.yaml"])
    let bundled = try library.findAll(try #require(library.folder))
    #expect(Set(library.names.compactMap { library.path(of: $0) }).isSubset(of: bundled))
    #expect(throws: CommandError.self) { try library.findAll(TemporaryFolder([:]).path) }
  }

  @Test func `a folder with one definition selects it, whatever their names are`() throws {
    let folder = TemporaryFolder(["lamp.yaml": "blemu: 1\nname: Lamp\n", "c.yaml": "c: 1\n"])
    #expect(try library.find(folder.path) == folder.path + "lamp.yaml")
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
  @Test(arguments: [
    ("lamp.yml", "did you mean 'FOLDER/lamp.yaml'?"), ("lmap.yaml", "did you mean 'FOLDER/lamp.yaml'?"),
    ("button.yaml", "for a bundled definition, give its name, as in hm-10"),
  ])
  func `a file that is not there may be another in its folder`(name: String, hint: String) {
    let folder = TemporaryFolder(["lamp.yaml": "", "button.txt": ""])
    #expect {
      try library.find(folder.path + name)
    } throws: {
      let error = $0 as? CommandError
      return error?.message == "there is no file '\(folder.path)\(name)'"
        && error?.hint == hint.replacing("FOLDER/", with: folder.path)
    }
  }

  @Test func `a name with an extension is no bundled definition`() {
    #expect {
      try library.find("hm-10.yml")
    } throws: {
      ($0 as? CommandError)?.message == "there is no file 'hm-10.yml'"
    }
  }
}
