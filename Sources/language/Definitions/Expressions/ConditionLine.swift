/// `* power and count == 3`, a line of a transcript that expects a condition on the device.
///
/// A quote after the `*` begins a line of the log: text alone is not a condition, and conditions can write texts in
/// single quotes.
package struct ConditionLine {
  /// From the mark to the end of the expression, as offsets in the line, in Unicode scalars.
  package let range: Range<Int>
  package let expression: Range<Int>

  /// nil: the line is not a `*` followed by something other than a quote or a comment.
  package init?(_ scalars: [Unicode.Scalar]) {
    guard let mark = scalars.firstIndex(where: { !Self.isBlank($0) }), scalars[mark] == "*",
      mark + 1 < scalars.count, Self.isBlank(scalars[mark + 1]),
      let start = scalars[(mark + 1)...].firstIndex(where: { !Self.isBlank($0) }),
      scalars[start] != "\"", scalars[start] != "#"
    else { return nil }
    expression = start..<Self.end(ofExpressionAt: start, in: scalars)
    range = mark..<expression.upperBound
  }

  /// Where an expression ends: before a comment and the spaces around it. A `#` in quotes does not begin one.
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
}
