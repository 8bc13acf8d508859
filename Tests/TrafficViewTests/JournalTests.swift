import Behavior
import EventLoop
import Framing
import System
import TestSupport
import Testing

@testable import TrafficView

@Suite struct JournalTests {
  private let central = SampleTraffic.central

  /// The entry of an event, as its fields.
  private func fields(_ event: TrafficEvent.Kind) -> [String: String] {
    JournalEntry.fields(in: bytes(of: event))
  }

  private func bytes(of event: TrafficEvent.Kind) -> [UInt8] {
    var lines = LineBuffer()
    JournalFormat(device: "hm-10").write(event, at: SampleTraffic.time, to: &lines)
    var bytes: [UInt8] = []
    lines.withBytes { span in for index in span.indices { bytes.append(span[index]) } }
    return bytes
  }

  private func entries(_ listener: DatagramListener) -> [[String: String]] {
    var entries: [[String: String]] = []
    while let bytes = listener.next() { entries.append(JournalEntry.fields(in: bytes)) }
    return entries
  }

  @Test func `an entry has the device, the central, the level and the log's text without the time`() {
    #expect(
      fields(.write(central, "FFE1", Array("Hello\r\n".utf8), nil, refused: nil)) == [
        "SYSLOG_IDENTIFIER": "blemu", "PRIORITY": "7", "DEVICE": "hm-10", "CENTRAL": "4C:32:75:0A:11:9E",
        "MESSAGE": "> FFE1  48 65 6C 6C 6F 0D 0A  Hello\\r\\n",
      ])
    #expect(
      fields(.warning("the battery is low", attribute: nil, [])) == [
        "SYSLOG_IDENTIFIER": "blemu", "PRIORITY": "4", "DEVICE": "hm-10", "MESSAGE": "! the battery is low",
      ])
  }

  @Test func `a value of several rows is one entry`() {
    let message = fields(.notify("FFE1", [UInt8](repeating: 0x41, count: 300)))["MESSAGE"]
    #expect(message?.split(separator: "\n").count == 15)
    #expect(message?.hasSuffix("A") == true)
  }

  @Test func `every kind of event is an entry with a central where it has one`() {
    for event in SampleTraffic.events {
      let fields = fields(event)
      #expect(fields["MESSAGE"]?.isEmpty == false)
      let hasCentral = JSONFormat().text(for: event, at: SampleTraffic.time).contains("\(central)")
      #expect(fields["CENTRAL"] == (hasCentral ? "\(central)" : nil), "\(event)")
    }
  }

  /// The journal reads nothing: the log goes on, and says afterwards what it has lost.
  @EventLoop @Test func `a busy journal blocks nothing, and what it lost is counted`() throws {
    let listener = DatagramListener()
    let log = TrafficLog(
      ofSeveral: [JournalFormat(device: "hm-10")], in: try #require(SystemJournal(at: listener.path)))
    for _ in 0..<3000 {
      log.sink(of: 0).take(TrafficEvent(time: Instant(microseconds: 0), kind: .log("tick")))
    }
    log.finish()
    let kept = entries(listener)
    #expect(kept.count > 1 && kept.count < 3000)
    #expect(kept.allSatisfy { $0["MESSAGE"] == "* tick" && $0["DEVICE"] == "hm-10" })
    log.sink(of: 0).take(TrafficEvent(time: Instant(microseconds: 0), kind: .log("after")))
    log.finish()
    let rest = entries(listener).map { $0["MESSAGE"] }
    #expect(
      rest == ["! \(3000 - kept.count) entries are missing here, because the journal was busy", "* after"])
  }
}

/// An entry in the journal's own protocol.
private enum JournalEntry {
  static func fields(in bytes: [UInt8]) -> [String: String] {
    var (rest, fields) = (bytes[...], [String: String]())
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
        fields[text(line[..<equals])] = text(line[(equals + 1)...])
      } else {
        let size = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        let value = rest.dropFirst(8).prefix(size)
        fields[text(line)] = text(value)
        rest = rest.dropFirst(8 + size + 1)
      }
    }
    return fields
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
