import Captures
import EventLoop
import Framing
import Learning
import TestSupport
import Testing

@testable import TestBeds

/// Learns models from the recordings of real devices.
@Suite struct LearnerTests {
  @EventLoop private func learn(_ name: String) async throws -> CheckedLesson {
    let capture = try Capture(path: Repository.path + "Tests/CapturesTests/Captures/\(name).btsnoop")
    let learner = Learner(try #require(capture.devices.first { !$0.connections.isEmpty }))
    return try await CheckedLesson.learn(
      learner, as: .model, name: name, origin: [], from: learner.conversations)
  }

  /// The frames and their checksums are those that were counted independently (`Captures/README.md`), together with the answers
  /// of 20 bytes between them.
  @EventLoop
  @Test(arguments: [
    ("jk-b1a20s15p", frames: 36, all: 42), ("jk-b5a24s", 134, 148), ("jk-bd6a24s10p", 57, 61),
  ])
  func `a battery system comes out as a model`(name: String, frames: Int, all: Int) async throws {
    let checked = try await learn(name)
    let evidence = checked.lesson.definition.evidence
    #expect(!checked.lesson.explained.isEmpty)
    #expect(
      evidence.contains {
        $0.claim == "frames that start with 55 AA EB 90: 300 bytes" && $0.agreeing == frames
      })
    #expect(evidence.contains { $0.claim.hasPrefix("sum8") && $0.agreeing == all && $0.cases == all })
    let wrong = checked.result.values.count { ![.asRecorded, .rightForm, .alike].contains($0.verdict) }
    #expect(wrong * 10 <= all)
    #expect(checked.result.responses.allSatisfy { $0.verdict == .asRecorded })
    for request in ["request-96", "request-97"] {
      #expect(evidence.contains { $0.claim.hasPrefix("\(request) leads to") && $0.agreeing == $0.cases })
    }
  }

  /// The first seconds of a treadmill do not explain what it sends.
  @EventLoop @Test func `a characteristic without a model answers as recorded`() async throws {
    let capture = try Capture(path: Repository.path + "Tests/CapturesTests/Captures/treadmill.btsnoop")
    let learner = Learner(try #require(capture.devices.first { !$0.connections.isEmpty }))
    let checked = try await CheckedLesson.learn(
      learner, as: .model, name: "treadmill", origin: [],
      from: learner.conversations.first(without: 0.8).conversations)
    #expect(checked.lesson.explained == [])
    #expect(checked.result.summary == "262 of 262 answers as recorded")
  }

  @EventLoop @Test func `a model explains what a treadmill sends, and how it takes writes`() async throws {
    let checked = try await learn("treadmill")
    let values = checked.result.values
    #expect(
      values.count { [.asRecorded, .rightForm, .alike].contains($0.verdict) } * 100 >= values.count * 95)
    #expect(checked.result.responses.allSatisfy { $0.verdict == .asRecorded })
    #expect(
      checked.lesson.definition.evidence.contains {
        $0.claim == "each value is answered with its size (u16le)" && $0.agreeing == 260 && $0.cases == 260
      })
  }

  @EventLoop @Test func `a model of the first part of a recording is compared with the rest`() async throws {
    let capture = try Capture(path: Repository.path + "Tests/CapturesTests/Captures/jk-b5a24s.btsnoop")
    let learner = Learner(try #require(capture.devices.first { !$0.connections.isEmpty }))
    let (known, end) = learner.conversations.first(without: 0.3)
    let checked = try await CheckedLesson.learn(
      learner, as: .model, name: "battery", origin: [], from: known)
    let rest = try await CheckedLesson.compare(
      learner.conversations, learner.table, with: checked.definition, cut: checked.lesson.cuts,
      from: end)
    #expect(rest.values.count { $0.recorded != nil } > 30)
    #expect(rest.values.allSatisfy { ($0.recorded ?? $0.got).map { $0.time >= end } == true })
    let right = rest.values.count { [.asRecorded, .rightForm, .alike].contains($0.verdict) }
    #expect(right * 10 >= rest.values.count * 8)
  }

  /// `04` starts values `AA 01` every 10 s. The answer to `02` looks like them, and comes in a connection without `04`.
  @EventLoop @Test func `a recorded request gets its answer, though a stream looks like it`() async throws {
    var device = CapturedDevice(address: nil)
    let isAsked = [false, true, false]
    for (link, isAsked) in isAsked.enumerated() {
      let start = Instant.milliseconds(Int64(link) * 1_000_000)
      var connection = CapturedConnection(central: nil, start: start)
      func add(_ bytes: [UInt8], from role: LinkRole, after time: Duration) {
        connection.events.append(.init(.attribute(bytes, from: role), at: start.advanced(by: time)))
      }
      func value(_ number: Int) -> [UInt8] { [0x1B, 3, 0, 0xAA, 1, UInt8(number), UInt8(number * 37 % 251)] }
      add([0x12, 4, 0, 1, 0], from: .central, after: .milliseconds(100))
      add([0x13], from: .peripheral, after: .milliseconds(110))
      if isAsked {
        add([0x52, 3, 0, 0x02, 0xFD], from: .central, after: .seconds(16))
        add(value(60), from: .peripheral, after: .milliseconds(16_030))
      } else {
        add([0x52, 3, 0, 0x04, 0xFB], from: .central, after: .seconds(1))
        for number in 1...20 {
          add(value(link * 20 + number), from: .peripheral, after: .seconds(1 + 10 * number))
        }
      }
      device.connections.append(connection)
    }
    let learner = Learner(device)
    let checked = try await CheckedLesson.learn(
      learner, as: .model, name: "asked", origin: [], from: learner.conversations)
    let answer = checked.result.values.first { $0.conversation == 1 && $0.recorded != nil }
    let (recorded, got) = try (#require(answer?.recorded), #require(answer?.got))
    #expect(recorded.time.duration(to: got.time) <= .milliseconds(20))
  }
}
