import Testing

@testable import Transcripts

/// How much a transcript can be.
@Suite struct LimitTests {
  @Test func `a transcript has at most a mebibyte`() {
    let line = "subscribe control\n"
    let room = TranscriptParser.maximumSize - line.utf8.count
    #expect(mistakes("#" + String(repeating: "x", count: room - 10) + "\nconnect\n" + line) == "")
    #expect(
      mistakes("connect\n" + line + "#" + String(repeating: "x", count: room)).hasPrefix(
        "scale.transcript:1:1: error: the transcript has 1048585 bytes"))
  }

  @Test(arguments: ["wait 720min", "+43200min", "silence 30min", "wait 43200min"])
  func `a duration of 30 days is one`(line: String) {
    #expect(mistakes("connect\n" + line) == "")
  }

  @Test(arguments: ["wait 43201min", "+43201min", "silence 1000000000000ms"])
  func `no duration is longer`(line: String) {
    #expect(mistakes("connect\n" + line).contains("error: a duration is at most 30 days"))
  }

  @Test func `of many mistakes the first 500 are reported`() {
    let lines = mistakes(String(repeating: "what\n", count: 600)).split(separator: "\n")
    #expect(lines.count { $0.contains("error: no line begins like this") } == 500)
    #expect(lines.contains { $0.hasSuffix("error: there are more mistakes than these 500") })
  }
}
