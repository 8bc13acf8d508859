import TestSupport
import Testing

@testable import AttributeServer

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

  @Test(arguments: [("small", 1...0x26), ("large", 0x0A...0x34)])
  func `the comments of the definitions count the handles`(name: String, handles: ClosedRange<Int>) {
    let lines = SpecificationCase.text(of: "\(name).yaml").split(separator: "\n").filter { $0.first != "#" }
    let comments = lines.flatMap { $0.drop { $0 != "#" }.dropFirst().split(separator: " ") }
    #expect(comments.map { Int($0, radix: 16) } == Array(handles))
    let database = AttributeServer(of: name == "small" ? SpecificationCase.small : SpecificationCase.large)
      .database
    #expect(database.attributes.last.map { Int($0.handle) } == handles.upperBound)
  }
}
