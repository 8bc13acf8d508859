import HCIPackets
import Framing
import TestSupport
import Testing

@testable import Captures

/// The last packets that Android has in the text of a bug report: `compressed/make.py` makes them.
@Suite struct BugReportTextTests {
  private static let note = CaptureNote(
    .loss,
    "The phone kept only the beginnings of packets. Set \"Bluetooth HCI snoop log\" to \"Enabled\" in the developer options."
  )
  /// A report of C4:00:00:00:00:01, a request to read handle 3, and 14 of the 19 bytes of its answer.
  private static let packets = [
    ("3E 0F 02 01 00 01 01 00 00 00 00 C4 03 02 01 06 C8", 4, HCIDirection.toHost, 720_000, 0),
    ("40 00 07 00 03 00 04 00 0A 03 00", 2, .toController, 970_000, 0),
    ("40 20 0F 00 0B 00 04 00 0B 62 6C 65 6D 75", 2, .toHost, 1_000_000, 5),
  ]
  /// The end of the marker's line.
  private static let offset = 81

  private static func packets(isOriginalLengthKnown: Bool = true) -> [CapturedPacket] {
    packets.map { text, type, direction, time, omitted in
      CapturedPacket(
        time: Instant(microseconds: 1_699_999_999_000_000 + Int64(time)),
        layer: .hci(type: UInt8(type), adapter: 0, direction), bytes: bytes(text),
        omitted: isOriginalLengthKnown ? omitted : 0, offset: offset)
    }
  }

  @Test(arguments: [("dumpsys.txt", true), ("dumpsys-version-1.txt", false)])
  func `the log in what dumpsys prints`(name: String, isOriginalLengthKnown: Bool) throws {
    let file = try CaptureFile.open(recording("compressed/\(name)"))
    #expect(file.packets == Self.packets(isOriginalLengthKnown: isOriginalLengthKnown))
    #expect(file.format == "btsnooz")
    #expect(file.notes == [Self.note])
  }

  @Test func `a bug report whose logs are empty has it in its text`() throws {
    let file = try CaptureFile.open(recording("compressed/bug-report-text.zip"))
    #expect(file.packets.map(\.bytes) == Self.packets().map(\.bytes))
    #expect(file.format == "Android bug report, btsnooz")
    let name = "bugreport-lamp-2024.txt"
    #expect(
      file.notes == [
        CaptureNote(.other, "The bug report has \(name)."), CaptureNote(.loss, "\(name): \(Self.note.text)"),
      ])
  }

  @Test func `the log may be far behind the beginning of the text, and be on either side of a piece`() throws
  {
    let text = try Self.text("dumpsys.txt")
    for length in [65_530, 65_536, 131_000, 300_001] {
      let file = try CaptureFile([UInt8](repeating: UInt8(ascii: "-"), count: length) + text)
      #expect(file.packets.map(\.time) == Self.packets().map(\.time))
      #expect(file.packets.allSatisfy { $0.offset == Self.offset + length })
    }
  }

  @Test func `everything before the end of a cut text is read`() throws {
    let text = try Self.text("dumpsys.txt")
    let end = try #require(text.firstIndex(of: UInt8(ascii: "="))) - 12
    let file = try CaptureFile(Array(text.prefix(end)))
    #expect(file.packets.map(\.bytes) == Self.packets().prefix(2).map(\.bytes))
    #expect(
      file.notes == [
        Self.note, CaptureNote(.damage, "The compressed data is cut off.", offset: Self.offset),
      ])
  }

  @Test(arguments: [
    ("", "The log of Bluetooth in it is cut off."),
    ("AgBAHh", "The log of Bluetooth in it is cut off."),
    ("AwBAHhgkCgYAeJ", "The log of Bluetooth in it has version 3 of btsnooz. blemu reads 1 and 2."),
  ])
  func `a log that cannot be read`(digits: String, reason: String) {
    #expect(throws: CaptureFileError.Reason.damaged(reason)) {
      try CaptureFile(Array("--- BEGIN:BTSNOOP_LOG_SUMMARY (9 bytes in) ---\n\(digits)\n--- END".utf8))
    }
  }

  @Test func `a character that is none of base64 is damage`() throws {
    var text = try Self.text("dumpsys.txt")
    text[Self.offset + 60] = UInt8(ascii: "!")
    let file = try CaptureFile(text)
    #expect(file.packets.count < 3)
    #expect(file.notes.last?.text == "The log has a character that is none of base64.")
  }

  private static func text(_ name: String) throws -> [UInt8] {
    try #require(Repository.bytes(ofFile: recording("compressed/\(name)")))
  }
}
