import Captures
import DeviceModel
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
  @EventLoop private static var known: [String: Learnt] = [:]

  private struct Learnt {
    var transcript: RecordedTranscript
    var learner: Learner
    var definition: PeripheralDefinition
  }

  @EventLoop
  private func learn(_ name: String, as style: Learner.Style) async throws -> Learnt {
    if let known = Self.known["\(name) \(style)"] { return known }
    let capture = try Capture(path: Repository.path + "Tests/CapturesTests/Captures/\(name).btsnoop")
    let learner = Learner(try #require(capture.devices.first { !$0.connections.isEmpty }))
    let checked = try await CheckedLesson.learn(
      learner, as: style, name: name, origin: [], from: learner.conversations)
    let transcript = try await RecordedTranscript(of: checked, learner.conversations, learner.table)
    let learnt = Learnt(
      transcript: try #require(transcript), learner: learner, definition: checked.definition)
    Self.known["\(name) \(style)"] = learnt
    return learnt
  }

  /// The fields that a model sends with other values than the recording make a section fail: the transcript has what was recorded. What
  /// the model computes, such as the time, it does not expect.
  @EventLoop
  @Test(arguments: [
    ("jk-b1a20s15p", Learner.Style.recording, "2 of 2 sections pass"),
    ("jk-b1a20s15p", .model, "1 of 2 sections pass"),
    ("jk-b5a24s", .recording, "1 of 1 sections pass"), ("jk-b5a24s", .model, "0 of 1 sections pass"),
    ("jk-bd6a24s10p", .recording, "1 of 1 sections pass"), ("jk-bd6a24s10p", .model, "1 of 1 sections pass"),
    ("treadmill", .recording, "1 of 1 sections pass"), ("treadmill", .model, "1 of 1 sections pass"),
  ])
  func `a learnt device keeps to the recorded transcript`(name: String, style: Learner.Style, summary: String)
    async throws
  {
    let transcript = try await learn(name, as: style).transcript
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
    let learnt = try await learn(name, as: .recording)
    let lines = learnt.transcript.text.split(separator: "\n")
    let sent = lines.filter { $0.hasPrefix("< ") || $0.hasPrefix("# < ") }
    #expect(sent.count { $0.hasPrefix("<") } == values)
    #expect(sent.count { $0.hasPrefix("#") } == comments)
    #expect(lines.count { $0.hasPrefix(">") || $0.hasPrefix("subscribe") } == writes)
    let parser = LineParser(learnt.definition)
    let recorded = learnt.learner.conversations.flatMap(\.exchanges).compactMap(\.value)
    for (line, bytes) in zip(sent, recorded) {
      guard case .step(let step) = try parser.parse(line), case .expect(let expectation) = step.action else {
        Issue.record("\(line)")
        continue
      }
      #expect(expectation.value?.difference(from: bytes) == nil, "\(line)")
    }
    #expect(sent.count == recorded.count)
  }

  /// The device has counted on between the connections: nobody can tell how far.
  @EventLoop @Test func `a section begins with the counter that its connection shows`() async throws {
    var device = CapturedDevice(address: nil)
    device.connections = [(Int64(0), 0x10), (60_000, 0xA7)].map { start, count in
      var connection = CapturedConnection(central: nil, start: .milliseconds(start))
      func add(_ bytes: [UInt8], _ sender: LinkRole, _ time: Int64) {
        connection.events.append(.init(.attribute(bytes, from: sender), at: .milliseconds(start + time)))
      }
      // A subscription, then a value each second.
      add([0x12, 0x0E, 0x00, 0x01, 0x00], .central, 20)
      add([0x13], .peripheral, 25)
      for index in 0..<8 {
        add(
          [0x1B, 0x0D, 0x00, 0x82, 0x55, UInt8(count + index), 0xAA], .peripheral, 1020 + 1000 * Int64(index))
      }
      return connection
    }
    let learner = Learner(device)
    let checked = try await CheckedLesson.learn(
      learner, as: .model, name: "counter", origin: [], from: learner.conversations)
    let transcript = try #require(
      try await RecordedTranscript(of: checked, learner.conversations, learner.table))
    #expect(!checked.lesson.explained.isEmpty)
    #expect(transcript.summary == "2 of 2 sections pass", "\(transcript.failures)")
    #expect(transcript.text.contains("\nset count-2=167"), "\(transcript.text)")
  }
}
