import Glibc
import Testing

@testable import Definitions

@Suite struct LibraryTests {
  @Test func `the library has devices`() {
    #expect(BundledDefinition.all.count >= 2)
  }

  @Test(arguments: BundledDefinition.all)
  func `a bundled definition loads, and only what BlueZ has of its own is said about it`(
    bundled: BundledDefinition
  ) throws {
    let loaded = try bundled.load()
    let others = loaded.diagnostics.filter { !$0.message.hasPrefix("BlueZ has Device Information (180A)") }
    #expect(others == [], "\(loaded.report)")
    let definition = try #require(loaded.definition)
    #expect(!definition.name.isEmpty)
    #expect(!definition.summary.isEmpty)
  }

  @Test(arguments: BundledDefinition.all)
  func `a bundled definition is called like its folder, and has a README beside it`(
    bundled: BundledDefinition
  ) {
    #expect(bundled.file == bundled.folder + ".yaml")
    #expect(access("\(BundledDefinition.library)/\(bundled.folder)/README.md", R_OK) == 0)
  }

  @Test(arguments: BundledDefinition.all)
  func `a bundled definition tells editors of its schema`(bundled: BundledDefinition) throws {
    let text = try TextFile.read("\(BundledDefinition.library)/\(bundled.folder)/\(bundled.file)")
    #expect(text.hasPrefix("# yaml-language-server: $schema=../blemu.schema.json\n"))
  }

  @Test func `the schema beside the bundled definitions is the one of this program`() throws {
    let text = try TextFile.read("\(BundledDefinition.library)/blemu.schema.json")
    #expect(
      text == JSONSchema.schema(of: Language.root).lines(),
      "write it anew: .build/release/blemu schema > Peripherals/blemu.schema.json")
  }
}
