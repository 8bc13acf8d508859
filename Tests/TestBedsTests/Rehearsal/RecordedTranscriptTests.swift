import Captures
import EventLoop
import Framing
import Learning
import TestSupport
import Testing
import Transcripts

@testable import TestBeds

/// Writes the recordings of `Tests/CapturesTests/Captures` as transcripts, and runs them with the learnt devices.
@Suite struct RecordedTranscriptTests {
  /// Each once for both tests.
  @EventLoop private static var known: [String: (RecordedTranscript, Learner)] = [:]

  @EventLoop
  private func learn(_ name: String, as style: Learner.Style) async throws -> (RecordedTranscript, Learner) {
    if let known = Self.known["\(name) \(style)"] { return known }
    let capture = try Capture(path: Repository.path + "Tests/CapturesTests/Captures/\(name).btsnoop")
    let learner = Learner(try #require(capture.devices.first { !$0.connections.isEmpty }))
    let checked = try await CheckedLesson.learn(
      learner, as: style, name: name, origin: [], from: learner.conversations)
    let transcript = try await RecordedTranscript(of: checked, learner.conversations, learner.table)
    let learnt = (try #require(transcript), learner)
    Self.known["\(name) \(style)"] = learnt
    return learnt
  }

  /// The values that a model sends with other bytes than the recording make a section fail: the transcript has what was recorded.
  @EventLoop
  @Test(arguments: [
    ("jk-b1a20s15p", Learner.Style.recording, "2 of 2 sections pass"),
    ("jk-b1a20s15p", .model, "0 of 2 sections pass"),
    ("jk-b5a24s", .recording, "1 of 1 sections pass"), ("jk-b5a24s", .model, "0 of 1 sections pass"),
    ("jk-bd6a24s10p", .recording, "1 of 1 sections pass"), ("jk-bd6a24s10p", .model, "0 of 1 sections pass"),
    ("treadmill", .recording, "1 of 1 sections pass"), ("treadmill", .model, "1 of 1 sections pass"),
  ])
  func `a learnt device keeps to the recorded transcript`(name: String, style: Learner.Style, summary: String)
    async throws
  {
    let transcript = try await learn(name, as: style).0
    #expect(transcript.summary == summary, "\(transcript.failures)")
    #expect(transcript.cut.isEmpty)
  }

  /// The numbers of values and of write requests and commands are those of Wireshark (`Captures/README.md`). The treadmill sends 261 values from a descriptor.
  @EventLoop
  @Test(arguments: [
    ("jk-b1a20s15p", values: 79, comments: 0, writes: 8), ("jk-b5a24s", 614, 0, 16),
    ("jk-bd6a24s10p", 171, 0, 5),
    ("treadmill", 1047, 0, 261),
  ])
  func `a transcript has each value and each write of the recording, byte for byte`(
    name: String, values: Int, comments: Int, writes: Int
  ) async throws {
    let (transcript, learner) = try await learn(name, as: .recording)
    let lines = transcript.text.split(separator: "\n")
    let sent = lines.filter { $0.hasPrefix("< ") || $0.hasPrefix("# < ") }
    #expect(sent.count { $0.hasPrefix("<") } == values)
    #expect(sent.count { $0.hasPrefix("#") } == comments)
    #expect(lines.count { $0.hasPrefix(">") || $0.hasPrefix("subscribe") } == writes)
    let exchanges = learner.conversations.flatMap(\.exchanges)
    #expect(sent.map(Self.bytes) == exchanges.compactMap(\.value).map(HexText.format))
  }

  /// `< FFE1  AA 55  # name`
  private static func bytes(of line: Substring) -> String {
    let words = line.split(separator: " ").drop { $0 == "#" }.dropFirst(2)
    return words.prefix { $0 != "#" }.joined(separator: " ")
  }
}
