import TestSupport
import Testing

@Suite struct SpecificationCaseTests {
  @Test(arguments: SpecificationCase.all)
  func `the server passes a case of the test specifications`(example: SpecificationCase) throws {
    for connection in example.connections { try expect(connection.definition, connection.transcript) }
    #expect(!example.connections.isEmpty)
  }

  @Test func `the table names each case with its file`() {
    let rows = SpecificationCase.text(of: "README.md").split(separator: "\n").filter { $0.hasPrefix("| G") }
    let listed = rows.filter { $0.hasSuffix(".pdu |") }
    #expect(
      listed.map { String($0) }.sorted()
        == SpecificationCase.all.map { "| \($0.name) | \($0.file) |" }.sorted())
    let names = rows.map { $0.split(separator: " ")[1] }
    #expect(Set(names).count == names.count)
  }
}
