import Framing

/// Formats a failed section for a person.
///
///     lamp.transcript:8: Asking for a day: packets is 5, not 6
///
///             expected                            time  actual
///          6  subscribe serial                   0.000  subscribe serial
///          7  > serial  day-request month=1      0.000  > serial  A5 06 03 01 02 A3
///     ->   8  < serial  day-total packets=6      0.000  < serial  A5 06 83 05 00 25  day-total packets=5
package struct FailureText {
  private let rows: [ConversationRow]
  private let expectedWidth: Int
  private let style: TextStyle

  /// The widths of the columns. Longer text wraps.
  private static let widestExpected = 44
  private static let widestActual = 62
  private static let timeWidth = 9

  /// - Parameter file: the transcript's name.
  package static func write(
    _ failure: SectionFailure, of title: String, in file: String, _ style: TextStyle = .plain
  ) -> String {
    let headline = "\(file):\(failure.line): \(title): \(failure.message)"
    let table = FailureText(failure.rows, style).table
    return visible(headline) + "\n" + (table.isEmpty ? "" : "\n" + table)
  }

  /// The table alone, for lines that are not in a file.
  package static func table(_ rows: [ConversationRow]) -> String { FailureText(rows, .plain).table }

  private init(_ rows: [ConversationRow], _ style: TextStyle) {
    self.rows = rows
    self.style = style
    let widest = rows.map { Self.visible($0.expected).count }.max() ?? 0
    expectedWidth = min(Self.widestExpected, max(widest, "expected".count))
  }

  private var table: String {
    guard !rows.isEmpty else { return "" }
    let head = line("", "", "expected".padded(to: expectedWidth), "time", "actual")
    return ([head] + rows.flatMap(lines)).joined(separator: "\n") + "\n"
  }

  private func lines(of row: ConversationRow) -> [String] {
    let expected = Self.wrapped(Self.visible(row.expected), expectedWidth)
    let actual = row.actual.flatMap { Self.wrapped(Self.visible($0), Self.widestActual) }
    return (0..<max(1, expected.count, actual.count)).map { index in
      let isFirst = index == 0
      return line(
        isFirst && row.isFailure ? "->" : "", isFirst ? row.line.map(String.init) ?? "" : "",
        (index < expected.count ? expected[index] : "").padded(to: expectedWidth),
        isFirst ? row.time?.inSeconds ?? "" : "", index < actual.count ? actual[index] : "")
    }
  }

  private func line(
    _ mark: String, _ number: String, _ expected: String, _ time: String, _ actual: String
  ) -> String {
    let text =
      mark.padded(to: 2) + number.aligned(to: 5) + "  " + expected + time.aligned(to: Self.timeWidth) + "  "
      + actual
    let line = Self.withoutTrailingSpaces(text)
    return mark.isEmpty ? line : style.mark(mark, as: .error) + line.dropFirst(mark.count)
  }
}

// MARK: Columns

extension FailureText {
  private static func withoutTrailingSpaces(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Wraps text, at spaces if possible, and indents the lines after the first.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while rest.count > width - (lines.isEmpty ? 0 : 2) {
      let room = width - (lines.isEmpty ? 0 : 2)
      let limit = rest.index(rest.startIndex, offsetBy: room)
      let half = rest.index(rest.startIndex, offsetBy: room / 2)
      let cut = rest[half...limit].lastIndex(of: " ") ?? limit
      lines.append((lines.isEmpty ? "" : "  ") + withoutTrailingSpaces(String(rest[..<cut])))
      rest = rest[cut...].drop { $0 == " " }
    }
    return lines + (rest.isEmpty && !lines.isEmpty ? [] : [(lines.isEmpty ? "" : "  ") + rest])
  }

  /// Replaces control characters by spaces.
  private static func visible(_ text: String) -> String {
    String(scalars: text.unicodeScalars.map { VisibleText.isControl($0) ? " " : $0 })
  }
}
