import Behavior
import Bluetooth
import Framing
import TestSupport
import Testing

@testable import Transcripts

/// What has happened elsewhere becomes a transcript, and lines are expected of it: no device runs here.
@Suite struct RecordedTrafficTests {
  private static let central = DeviceAddress("00:00:00:00:00:02")!

  /// From the time of the connection, in milliseconds.
  private static let traffic: [TrafficEvent] = [
    (0, .connected(central)),
    (40, .subscribed(central, "control")),
    (60, .write(central, "control", [0x01, 0x05], .request, refused: nil)),
    (360, .notify("control", [0x81, 0x05])),
    (400, .write(central, "secret", [1, 2, 3, 4], .request, refused: .valueNotAllowed)),
    (900, .disconnected(central, .remoteUserTerminated)),
  ].map { (time: Int, kind: TrafficEvent.Kind) in
    TrafficEvent(time: Instant(microseconds: Int64(time) * 1000), kind: kind)
  }

  @Test func `traffic becomes a transcript without mistakes`() {
    var transcript = JournalTranscript(scale)
    let events = Self.traffic
    let lines = events.indices.flatMap {
      transcript.lines(of: events[$0], following: events[($0 + 1)...])
    }
    let expected = """
      connect
      +40ms
      subscribe control
      +20ms
      > control  01 05  # ask number=5
      < control  81 05  # answer number=5 note=""
      +40ms
      > secret  01 02 03 04
      ! value-not-allowed
      +500ms
      disconnect
      """
    #expect(lines.joined(separator: "\n") == expected)
    #expect(mistakes(expected) == "")
  }

  @Test func `a warning stays on its line`() {
    var transcript = JournalTranscript(scale)
    let event = TrafficEvent(time: Instant(), kind: .warning("slow\nconnect", attribute: nil, []))
    #expect(transcript.lines(of: event, following: EmptyCollection()) == ["# ! slow\\nconnect"])
  }

  @Test(arguments: [
    ("connect", 0), ("> control ask number=5", 2), ("< control answer", 3), ("! value-not-allowed", 4),
  ])
  func `a line of a transcript is expected of traffic`(line: String, index: Int) throws {
    let pattern = try LineParser(scale).journalPattern(line)
    #expect(Self.traffic.firstIndex { pattern.compare(with: $0.kind) == .matches } == index)
  }
}
