import Framing

/// Writes results as JUnit XML: a test suite for each transcript, a test case for each section.
package struct JUnitReport {
  private let results: [TranscriptResult]

  package init(_ results: [TranscriptResult]) {
    self.results = results
  }

  package var text: String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let duration = results.reduce(Duration.zero) { $0 + $1.duration }
    text += "<testsuites name=\"blemu\""
    text += Self.counts(
      tests: results.sectionCount + results.brokenCount, failures: results.failureCount,
      errors: results.brokenCount, duration)
    for result in results { text += suite(result) }
    return text + "</testsuites>\n"
  }

  private func suite(_ result: TranscriptResult) -> String {
    var text = "  <testsuite name=\(Self.quoted(result.name))"
    let errors = result.isBroken ? 1 : 0
    text += Self.counts(
      tests: result.sections.count + errors, failures: result.failureCount, errors: errors, result.duration)
    if result.isBroken { text += brokenCase(result) }
    for section in result.sections { text += testCase(section, of: result) }
    return text + "  </testsuite>\n"
  }

  /// A file that cannot be read stands for its sections.
  private func brokenCase(_ result: TranscriptResult) -> String {
    let name = Self.quoted(result.name)
    return "    <testcase name=\(name) classname=\(name) file=\(name) line=\"1\" time=\"0.000\">\n"
      + "      <error message=\"the file or its definition has mistakes\"/>\n    </testcase>\n"
  }

  private func testCase(_ section: SectionResult, of result: TranscriptResult) -> String {
    let start =
      "    <testcase name=\(Self.quoted(section.title)) classname=\(Self.quoted(result.name))"
      + " file=\(Self.quoted(result.name)) line=\"\(section.line)\" time=\"\(section.duration.inSeconds)\""
    guard let failure = section.failure else { return start + "/>\n" }
    let report = FailureText.write(failure, of: section.title, in: result.name)
    return start
      + ">\n      <failure message=\(Self.quoted(failure.message))>\(Self.escaped(report))</failure>\n"
      + "    </testcase>\n"
  }

  private static func counts(tests: Int, failures: Int, errors: Int, _ duration: Duration) -> String {
    " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"\(duration.inSeconds)\">\n"
  }
}

// MARK: XML

extension JUnitReport {
  /// An attribute's value. Parsers replace plain line ends by spaces (XML 1.0, 3.3.3).
  private static func quoted(_ text: String) -> String {
    "\"" + escaped(text).replacing("\n", by: "&#10;").replacing("\t", by: "&#9;") + "\""
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += escaped($1) }
  }

  /// Characters that XML 1.0 (2.2) does not allow become escapes such as `\x1B`.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "&": return "&amp;"
    case "<": return "&lt;"
    case ">": return "&gt;"
    case "\"": return "&quot;"
    case "\n", "\t", " "..."~", "\u{A0}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
      return String(scalar)
    default: return VisibleText.number(of: scalar)
    }
  }
}
