import Testing

@testable import Definitions

/// What the READMEs show is true.
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

  @Test func `the READMEs have examples of both kinds`() {
    #expect(Example.all.count { $0.isWhole } >= 2)
    #expect(Example.all.count { !$0.isWhole } >= 6)
  }

  @Test(arguments: Example.all)
  func `an example loads, and there is nothing to say about it`(example: Example) {
    let loaded =
      example.isWhole
      ? load(example.yaml, library: DiskLibrary(folder: BundledDefinition.library), others: [])
      : load(example.yaml, files: Self.files, others: Self.others)
    #expect(loaded.diagnostics.allSatisfy { $0.severity == .note }, "\(loaded.report)")
  }
}
