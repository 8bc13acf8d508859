import Framing

/// What a person reads of a failed section.
///
///     lamp.transcript:8: Asking for a day: packets is 5, not 6
///
///             expected                            time  came
///          6  subscribe serial                   0.000  subscribe serial
///          7  > serial  day-request month=1      0.000  > serial  A5 06 03 01 02 A3
///     ->   8  < serial  day-total packets=6      0.000  < serial  A5 06 83 05 00 25  day-total packets=5
package struct FailureText {
  private let rows: [ConversationRow]
  private let expectedWidth: Int

  /// Columns at most; what is longer goes on in the next line.
  private static let widestExpected = 44
  private static let widestCame = 62
  private static let timeWidth = 9

  /// - Parameter file: the transcript's name.
  package static func write(_ failure: SectionFailure, of title: String, in file: String) -> String {
    let headline = "\(file):\(failure.line): \(title): \(failure.message)"
    let table = FailureText(failure.rows).table
    return visible(headline) + "\n" + (table.isEmpty ? "" : "\n" + table)
  }

  private init(_ rows: [ConversationRow]) {
    self.rows = rows
    let widest = rows.map { Self.visible($0.expected).count }.max() ?? 0
    expectedWidth = min(Self.widestExpected, max(widest, "expected".count))
  }

  private var table: String {
    guard !rows.isEmpty else { return "" }
    let head = line("", "", Self.padded("expected", expectedWidth), "time", "came")
    return ([head] + rows.flatMap(lines)).joined(separator: "\n") + "\n"
  }

  private func lines(of row: ConversationRow) -> [String] {
    let expected = Self.wrapped(Self.visible(row.expected), expectedWidth)
    let came = row.came.flatMap { Self.wrapped(Self.visible($0), Self.widestCame) }
    return (0..<max(1, expected.count, came.count)).map { index in
      let isFirst = index == 0
      return line(
        isFirst && row.isFault ? "->" : "", isFirst ? row.line.map(String.init) ?? "" : "",
        Self.padded(index < expected.count ? expected[index] : "", expectedWidth),
        isFirst ? row.time.map(Self.seconds) ?? "" : "", index < came.count ? came[index] : "")
    }
  }

  private func line(
    _ mark: String, _ number: String, _ expected: String, _ time: String, _ came: String
  ) -> String {
    let text =
      Self.padded(mark, 2) + Self.aligned(number, 5) + "  " + expected
      + Self.aligned(time, Self.timeWidth) + "  " + came
    return Self.withoutBlanksBehind(text)
  }

  /// `0.300`, in seconds.
  private static func seconds(_ time: Duration) -> String {
    let milliseconds = max(0, time.wholeMilliseconds)
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

// MARK: Columns

extension FailureText {
  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func withoutBlanksBehind(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Cut at blanks where there are some; what goes on in the next line is indented.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while rest.count > width - (lines.isEmpty ? 0 : 2) {
      let room = width - (lines.isEmpty ? 0 : 2)
      let limit = rest.index(rest.startIndex, offsetBy: room)
      let half = rest.index(rest.startIndex, offsetBy: room / 2)
      let cut = rest[half...limit].lastIndex(of: " ") ?? limit
      lines.append((lines.isEmpty ? "" : "  ") + withoutBlanksBehind(String(rest[..<cut])))
      rest = rest[cut...].drop { $0 == " " }
    }
    return lines + (rest.isEmpty && !lines.isEmpty ? [] : [(lines.isEmpty ? "" : "  ") + rest])
  }

  /// Nothing that a terminal would obey.
  private static func visible(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
