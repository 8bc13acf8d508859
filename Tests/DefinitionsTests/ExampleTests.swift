import TestSupport
import Testing

@testable import Definitions

/// The definitions on all pages, and the sections of definitions.
@Suite struct ExampleTests {
  /// What the sections in the reference speak of, declared here; a section that is shown takes the place of
  /// the one of its name.
  static let others: [(Substring, String)] =
    standardSections + [
      (
        "messages",
        """
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
          day-total:   "A5 06 83 {packets: u16le} {xor8}"

        """
      ),
      (
        "data",
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [month, day]

        """
      ),
    ]

  static let files = ["history.csv": "month,day,samples\n3,14,00 01 02\n"]

  /// Stands are for the tests of the command line.
  static let examples = Page.all.flatMap { $0.blocks("yaml") }.filter { !$0.isStand }

  @Test func `the pages have examples of both kinds`() {
    #expect(Self.examples.count { $0.isDefinition } >= 8)
    #expect(Self.examples.count { !$0.isDefinition } >= 35)
  }

  @Test(arguments: examples)
  func `an example loads, and there is nothing to say about it`(example: Page.Block) {
    let loaded =
      example.isDefinition
      ? load(example.text, library: library, others: [])
      : load(example.text, files: Self.files, others: Self.others)
    #expect(remarks(in: loaded.report) == [])
  }

  /// The errors and warnings in a report, except those of a bundled definition that the example extends, and of what only BlueZ does
  /// not have.
  private func remarks(in report: String) -> [Substring] {
    report.split(separator: "\n").filter {
      $0.contains(#/:\d+:\d+: (error|warning): /#) && !$0.hasPrefix(BundledDefinition.library)
        && !Self.onlyInBlueZ.contains(where: $0.contains)
    }
  }

  private static let onlyInBlueZ = [
    "the rule never fires: BlueZ", "BlueZ does not let centrals open", "BlueZ keeps the attributes",
    "the response goes first: BlueZ", "BlueZ does not send the PDUs", "BlueZ assigns handles itself",
    "BlueZ lets every central connect", "BlueZ itself answers",
  ]
}
