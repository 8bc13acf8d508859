import Framing

/// Lays out text in columns.
enum Columns {
  /// A head, and next to it from `column` on a text, which wraps at `width`. A long head has a line of its own.
  ///
  /// - Parameter width: nil: the text does not wrap.
  static func row(_ head: String, _ text: String, indent: Int, column: Int, width: Int?) -> String {
    let start = String(repeating: " ", count: indent) + head
    guard start.count + 2 <= column else {
      return start + "\n" + wrapped(text, indent: column, width: width)
    }
    return start.padded(to: column) + wrapped(text, indent: column, width: width).dropFirst(column)
  }

  /// Lines of at most `width` columns, broken at spaces. A word that is longer has a line of its own.
  static func wrapped(_ text: String, indent: Int, width: Int?) -> String {
    let margin = String(repeating: " ", count: indent)
    return lines(text, width: width.map { max($0 - indent, narrowest) }).map { margin + $0 + "\n" }.joined()
  }

  /// A column with less room is wrapped as if it had this.
  private static let narrowest = 20

  private static func lines(_ text: String, width: Int?) -> [String] {
    guard let width else { return [text] }
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
