import Foundation
import FoundationXML
import Testing

@testable import Transcripts

@Suite struct JUnitReportTests {
  private static let failure = SectionFailure(
    line: 3, message: "byte 0 is <01>, not \"02\" & so on",
    rows: [
      ConversationRow(
        line: 3, expected: "< a  01", time: .milliseconds(1500), actual: ["< a  02"], isFailure: true)
    ])

  private static let report = JUnitReport([
    TranscriptResult(
      name: "a/b.transcript",
      sections: [
        SectionResult(title: "Good", line: 1, duration: .milliseconds(1234)),
        SectionResult(
          title: "Bad\u{1B}\n]]> \u{FFFE}", line: 2, duration: .microseconds(900), failure: failure),
      ]),
    TranscriptResult(name: "empty & \"odd\".transcript", sections: []),
  ])

  @Test func `the report has a suite for each transcript and a case for each section`() {
    #expect(
      Self.report.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="blemu" tests="2" failures="1" errors="0" time="1.234">
          <testsuite name="a/b.transcript" tests="2" failures="1" errors="0" time="1.234">
            <testcase name="Good" classname="a/b.transcript" file="a/b.transcript" line="1" time="1.234"/>
            <testcase name="Bad\\x1B&#10;]]&gt; \\u{FFFE}" classname="a/b.transcript" file="a/b.transcript" line="2" time="0.000">
              <failure message="byte 0 is &lt;01&gt;, not &quot;02&quot; &amp; so on">a/b.transcript:3: Bad  ]]&gt; \\u{FFFE}: byte 0 is &lt;01&gt;, not &quot;02&quot; &amp; so on

                 expected     time  actual
        -&gt;    3  &lt; a  01     1.500  &lt; a  02
        </failure>
            </testcase>
          </testsuite>
          <testsuite name="empty &amp; &quot;odd&quot;.transcript" tests="0" failures="0" errors="0" time="0.000">
          </testsuite>
        </testsuites>

        """)
  }

  @Test func `the report is well-formed XML whatever texts it contains`() {
    let parser = XMLParser(data: Data(Self.report.text.utf8))
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
  }

  @Test func `every scalar becomes text that XML allows`() {
    var titles: [String] = []
    for value in [UInt32](0...0x24FF) + [0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10FFFF] {
      if let scalar = Unicode.Scalar(value) { titles.append("x\(scalar)y") }
    }
    let sections = titles.map {
      SectionResult(
        title: $0, line: 1, duration: .zero,
        failure: SectionFailure(
          line: 1, message: $0, rows: [ConversationRow(line: 1, expected: $0, actual: [$0])]))
    }
    let text = JUnitReport([TranscriptResult(name: "all", sections: sections)]).text
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "") in line \(parser.lineNumber)")
  }

  @Test func `the summary counts sections`() {
    let result = TranscriptResult(
      name: "a",
      sections: [
        SectionResult(title: "1", line: 1, duration: .zero),
        SectionResult(title: "2", line: 2, duration: .zero, failure: Self.failure),
      ])
    #expect([result, result].summary == "2 passed, 2 failed")
    #expect([TranscriptResult]().summary == "0 passed, 0 failed")
  }
}
