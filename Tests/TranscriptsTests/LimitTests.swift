import Testing

@testable import Transcripts

/// The limits of transcripts.
@Suite struct LimitTests {
  @Test func `a transcript has at most 1 MiB`() {
    let line = "subscribe control\n"
    let room = TranscriptParser.maximumSize - line.utf8.count
    #expect(mistakes("#" + String(repeating: "x", count: room - 10) + "\nconnect\n" + line) == "")
    #expect(
      mistakes("connect\n" + line + "#" + String(repeating: "x", count: room)).hasPrefix(
        "scale.transcript:1:1: error: the transcript has 1048585 bytes"))
  }

  @Test(arguments: ["wait 720min", "+43200min", "silence 30min", "wait 43200min"])
  func `a duration may be 30 days`(line: String) {
    #expect(mistakes("connect\n" + line) == "")
  }

  @Test(arguments: ["wait 43201min", "+43201min", "silence 1000000000000ms"])
  func `a duration may not be longer`(line: String) {
    #expect(mistakes("connect\n" + line).contains("error: a duration may be at most 30 days"))
  }

  @Test func `only the first 500 mistakes are reported`() {
    let lines = mistakes(String(repeating: "what\n", count: 600)).split(separator: "\n")
    #expect(lines.count { $0.contains("error: unknown line") } == 500)
    #expect(lines.contains { $0.hasSuffix("error: there are more mistakes than these 500") })
  }
}
