import DeviceModel
import TestSupport
import Testing

@testable import Definitions

/// The guide shows mistakes as changes to its latest definition, each with what `blemu check` says of it.
@Suite struct GuideTests {
  private static let guide = try! Page("Peripherals/from-a-datasheet.md")

  @Test func `a mistake in the guide gets the report that is shown`() {
    var definition = ""
    var count = 0
    for (block, next) in zip(Self.guide.blocks, Self.guide.blocks.dropFirst()) {
      if block.language == "yaml" { definition = block.text }
      guard block.language == "diff" else { continue }
      #expect(report(of: changed(definition, by: block.text)) == next.text)
      count += 1
    }
    #expect(count >= 5)
  }

  private func report(of definition: String) -> String {
    let file = DefinitionFile(name: "charger.yaml", text: definition, folder: MemoryFolder(files: [:]))
    return DefinitionLoader.load(file, bundled: NoBundledDefinitions(), for: [NoLimits()]).report
  }

  /// A text in which the lines after `-` are replaced with those after `+`.
  private func changed(_ text: String, by change: String) -> String {
    let lines = change.split(separator: "\n")
    let old = lines.filter { $0.hasPrefix("-") }.map { $0.dropFirst() + "\n" }.joined()
    let new = lines.filter { $0.hasPrefix("+") }.map { $0.dropFirst() + "\n" }.joined()
    #expect(text.contains(old), "the guide changes lines that its definition has not:\n\(old)")
    return text.replacing(old, with: new)
  }
}
