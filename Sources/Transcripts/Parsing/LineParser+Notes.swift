import Definitions
import DeviceModel

/// `* "the lamp is now 1"`, a line of the log; `* power and count == 3`, a condition. A quote after the `*` begins a line of
/// the log: text alone is no condition, and conditions can have their texts in single quotes.
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

  /// Reads a condition; nil if the line is no `*` with something else than a quote or a comment after it.
  func condition(_ text: some StringProtocol, line: Int) throws(Diagnostic) -> Step? {
    let scalars = Array(text.unicodeScalars)
    guard let mark = scalars.firstIndex(where: { !Self.isBlank($0) }), scalars[mark] == "*",
      mark + 1 < scalars.count, Self.isBlank(scalars[mark + 1]),
      let start = scalars[(mark + 1)...].firstIndex(where: { !Self.isBlank($0) }),
      scalars[start] != "\"", scalars[start] != "#"
    else { return nil }
    let range = start..<Self.end(ofExpressionAt: start, in: scalars)
    let condition = try DeviceCondition(
      Self.text(scalars[range]), line: line, column: range.lowerBound + 1, in: names)
    return Step(.expectTrue(condition), line: line, text: Self.text(scalars[mark..<range.upperBound]))
  }

  /// Where an expression ends: before a comment and the spaces around it. A `#` in quotes begins none.
  private static func end(ofExpressionAt start: Int, in scalars: [Unicode.Scalar]) -> Int {
    var quote: Unicode.Scalar?
    var end = start
    for (index, scalar) in scalars.enumerated().dropFirst(start) {
      if quote == nil, scalar == "#", isBlank(scalars[index - 1]) { break }
      if quote == scalar {
        quote = nil
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      }
      if !isBlank(scalar) { end = index + 1 }
    }
    return end
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}
