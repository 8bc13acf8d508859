import DeviceModel
import TestSupport
import Testing

@testable import Definitions

/// The examples in the reference's tables of functions.
@Suite struct FunctionTableTests {
  /// A row's last cell: `expression` = `value`.
  struct Example: CustomStringConvertible {
    let expression: String
    let value: String

    var description: String { "\(expression) = \(value)" }
  }

  private static let chapter = try! Page("Peripherals/language/expressions.md").text

  static let examples = chapter.split(separator: "\n").compactMap { line -> Example? in
    let cells = line.split(separator: " | ")
    let parts = cells.last.map { $0.split(separator: "`", omittingEmptySubsequences: false) } ?? []
    guard cells.count >= 3 || line.contains(" | | "), parts.count == 5, parts[2] == " = " else { return nil }
    return Example(expression: String(parts[1]), value: String(parts[3]))
  }

  @Test(arguments: examples)
  func `an example is true`(example: Example) throws {
    let typed = try ExpressionChecker.check(example.expression, in: NameScope())
    #expect(try typed.expression.evaluate(in: EvaluationContext()).description == example.value)
  }

  @Test func `the tables have an example of most functions, and name all of them`() {
    #expect(Self.examples.count > 25)
    let functions =
      Expression.Function.allCases.map(\.rawValue) + Expression.CryptographicFunction.allCases.map(\.rawValue)
    for function in functions { #expect(Self.chapter.contains("`\(function)("), "\(function)") }
  }
}
