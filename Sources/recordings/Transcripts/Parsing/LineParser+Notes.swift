import Definitions
import DeviceModel

/// `* "the lamp is now 1"`, a line of the log; `* power and count == 3`, a condition.
extension LineParser {
  func log(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    try expect(from: .log, .bytes(quotedPattern(&words)), &words)
  }

  /// `"the lamp is " ...`
  func quotedPattern(_ words: inout Words) throws(Diagnostic) -> BytePattern {
    let token = try words.next(.note)
    guard case .quoted(let text) = token.content else { throw words.error(.notNote, at: token.range) }
    var pattern = BytePattern(text)
    if words.peek?.word == "..." {
      _ = words.next()
      pattern.isOpen = true
    }
    return pattern
  }

  /// Reads a condition; nil if the line is not one.
  func condition(_ text: some StringProtocol, line: Int) throws(Diagnostic) -> Step? {
    guard let found = ConditionLine(Array(text.unicodeScalars)) else { return nil }
    let condition = try DeviceCondition(
      Self.cut(text, to: found.expression), line: line, column: found.expression.lowerBound + 1, in: names)
    return Step(.expectTrue(condition), line: line, text: Self.cut(text, to: found.range))
  }
}
