import Glibc
import TestSupport
import Testing

@testable import Definitions

@Suite struct LibraryTests {
  @Test func `the library has devices`() {
    #expect(BundledDefinition.all.count >= 2)
  }

  @Test func `no two bundled definitions have the same name`() {
    let names = BundledDefinition.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(DiskLibrary(folder: BundledDefinition.library).names == names.sorted())
  }

  @Test func `a group has the title of its folder, and its definitions in order`() throws {
    let groups = DiskLibrary(folder: BundledDefinition.library).groups
    #expect(groups.map(\.name) == Set(BundledDefinition.all.map(\.group)).sorted())
    let modules = try #require(groups.first { $0.name == "serial-modules" })
    #expect(modules.title == "Serial modules")
    #expect(modules.definitions.contains("hm-10"))
    #expect(modules.definitions == modules.definitions.sorted())
  }

  /// A row has the device's face, if it has one, a link to its README, what works, and what proves it.
  @Test func `the page of a group has a row for each of its definitions`() throws {
    for group in DiskLibrary(folder: BundledDefinition.library).groups {
      let page = try TextFile.read("\(BundledDefinition.library)/\(group.name)/README.md")
      #expect(page.hasPrefix("# \(group.title)\n"))
      let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
      let expected =
        ["| | device | what works | proven by |"] + group.definitions.map { Self.row(of: $0, in: group.name) }
      #expect(rows.count == expected.count)
      for (row, beginning) in zip(rows, expected) { #expect(row.hasPrefix(beginning)) }
      #expect(rows.allSatisfy { $0.split(separator: " | ").count == 4 })
    }
  }

  @Test func `the shelf leads to each group and each definition`() throws {
    let page = try TextFile.read("\(BundledDefinition.library)/README.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| [") }
    let expected = DiskLibrary(folder: BundledDefinition.library).groups.map { group in
      "| [\(group.title)](\(group.name)/README.md) | "
        + group.definitions.map { "[\($0)](\(group.name)/\($0)/README.md)" }.joined(separator: ", ") + " |"
    }
    #expect(rows.map(String.init) == expected)
  }

  @Test func `the README leads to each group of the shelf`() throws {
    let page = try TextFile.read(Repository.path + "README.md").lowercased()
    for group in DiskLibrary(folder: BundledDefinition.library).groups {
      #expect(page.contains("[\(group.title.lowercased())](peripherals/\(group.name)/readme.md)"))
    }
  }

  private static func row(of name: String, in group: String) -> String {
    let hasFace = access("\(BundledDefinition.library)/\(group)/\(name)/\(name).svg", R_OK) == 0
    let face = hasFace ? "<img src=\"\(name)/\(name).svg\" width=\"48\" alt=\"\"> " : ""
    return "| \(face)| [\(name)](\(name)/README.md) | "
  }

  @Test(arguments: BundledDefinition.all)
  func `a bundled definition has no problems, except what BlueZ cannot serve as the device does`(
    bundled: BundledDefinition
  ) throws {
    let loaded = try bundled.load()
    let known = [
      "BlueZ serves its own Device Information (180A)", "BlueZ cannot send CCCD Improperly Configured (0xFD)",
      "a Linux host hears no report", "BlueZ keeps the attributes of centrals to itself",
      "the rule never fires: BlueZ does not report when a link is encrypted",
      "BlueZ does not let centrals open the channel",
    ]
    let others = loaded.diagnostics.filter { problem in
      problem.severity != .note && !known.contains { problem.message.hasPrefix($0) }
    }
    #expect(others == [], "\(loaded.report)")
    let definition = try #require(loaded.definition)
    #expect(!definition.name.isEmpty)
    #expect(!definition.summary.isEmpty)
  }

  @Test(arguments: BundledDefinition.all)
  func `a bundled definition is called like its folder, and has a README next to it`(
    bundled: BundledDefinition
  ) {
    #expect(bundled.file == bundled.name + ".yaml")
    #expect(access("\(bundled.folder)/README.md", R_OK) == 0)
  }

  @Test(arguments: BundledDefinition.all)
  func `a bundled definition tells editors of its schema`(bundled: BundledDefinition) throws {
    let text = try TextFile.read(bundled.path)
    #expect(text.hasPrefix("# yaml-language-server: $schema=../../blemu.schema.json\n"))
  }

  /// AT+BAUD and its like: the speed of each digit, in the order of the modules' manuals.
  @Test(arguments: [
    ("hm-10", "baud", 0, [9600, 19_200, 38_400, 57_600, 115_200, 4800, 2400, 1200, 230_400]),
    ("cc41-a", "baud", 1, [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400]),
    ("mlt-bt05", "baud", 0, [115_200, 57_600, 38_400, 19_200, 9600]),
    ("jdy-08", "boud", 0, [115_200, 57_600, 38_400, 19_200, 9600, 4800, 2400]),
    ("jdy-10", "baud", 0, [115_200, 57_600, 38_400, 19_200, 14_400, 9600, 4800, 2400, 1200]),
    ("jdy-23", "baud", 0, [115_200, 57_600, 38_400, 19_200, 9600, 4800, 2400]),
  ])
  func `a module's UART has the speed of its setting`(
    name: String, setting: String, first: Int, speeds: [Int]
  ) throws {
    let module = try bundled(name)
    let index = try #require(module.settings.firstIndex { $0.name == setting })
    #expect(module.settings[index].kind == .oneOf(speeds.indices.map { .text("\($0 + first)") }))
    for (digit, speed) in speeds.enumerated() {
      var context = module.initialContext
      context.settings[index] = .text("\(digit + first)")
      #expect(try module.wire.baud(in: context) == speed)
    }
  }

  @Test(
    arguments: [
      ("hm-10", 9600), ("cc41-a", 9600), ("mlt-bt05", 9600), ("jdy-08", 115_200), ("jdy-10", 115_200),
      ("jdy-23", 9600), ("bluno", 115_200), ("xbee", 9600), ("hm-10-cable", nil),
    ] as [(String, Int?)])
  func `a module's UART has the speed of its factory`(name: String, speed: Int?) throws {
    let module = try bundled(name)
    #expect(try module.wire.baud(in: module.initialContext) == speed)
  }

  @Test func `the schema next to the bundled definitions is the one of this program`() throws {
    let text = try TextFile.read("\(BundledDefinition.library)/blemu.schema.json")
    #expect(
      text == JSONSchema.schema(of: Language.root).lines(),
      "write it anew: .build/release/blemu schema > Peripherals/blemu.schema.json")
  }
}
