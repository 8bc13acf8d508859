import TestSupport
import Testing

@testable import Captures

/// Files in gzip, made with Python's `gzip`, and bug reports, made with its `zipfile`.
@Suite struct CompressionTests {
  private static func compressed(_ name: String) throws -> [UInt8] {
    try #require(Repository.bytes(ofFile: recording("compressed/\(name)")))
  }

  @Test func `a recording in gzip`() throws {
    let file = try CaptureFile.open(recording("compressed/jk-b1a20s15p.btsnoop.gz"))
    let plain = try CaptureFile.open(recording("jk-b1a20s15p.btsnoop"))
    #expect(file.packets == plain.packets)
    #expect(file.notes == [])
    #expect(file.format == "btsnoop (HCI, H4), gzip")
  }

  @Test func `several members of gzip are one recording`() throws {
    let file = try CaptureFile(Self.compressed("two-members.btsnoop.gz"))
    #expect(file.packets.count == 124)
    #expect(file.notes == [])
  }

  /// 124 records of 15,801 bytes. The offset counts after decompression.
  @Test func `everything before the damage of a gzip file is read`() throws {
    let whole = try Self.compressed("jk-b1a20s15p.btsnoop.gz")
    let cut = try CaptureFile(Array(whole.prefix(whole.count / 2)))
    let count = cut.packets.count
    #expect((30..<124).contains(count))
    let note = try #require(cut.notes.first)
    #expect(note.text == "The compressed data is cut off.")
    let plain = try CaptureFile.open(recording("jk-b1a20s15p.btsnoop")).packets
    #expect(note.offset == plain[count].offset)
  }

  @Test func `compressed bytes that are not right`() throws {
    var damaged = try Self.compressed("jk-b1a20s15p.btsnoop.gz")
    damaged[damaged.count / 2] ^= 0x55
    damaged[damaged.count / 2 + 1] ^= 0x55
    let file = try CaptureFile(damaged)
    #expect(file.packets.count < 124)
    #expect(file.notes.map(\.kind) == [.damage])
  }

  private static func limit(_ size: String) -> String {
    "The compressed data expands to more than \(size), and blemu has read no further. Decompress it yourself, and cut out the part of "
      + "interest, for example with Wireshark."
  }

  @Test func `a gzip file is read up to a limit`() throws {
    let bytes = BytesInMemory(try Self.compressed("jk-b1a20s15p.btsnoop.gz"))
    let plain = try CaptureFile.open(recording("jk-b1a20s15p.btsnoop")).packets
    let file = try CaptureFile(bytes, InflationLimit(4096))
    let packets = file.packets
    #expect((20..<124).contains(packets.count))
    #expect(packets.elementsEqual(plain.prefix(packets.count)))
    let end = plain[packets.count].offset
    #expect(end <= 4096 && 4096 < plain[packets.count + 1].offset)
    #expect(file.notes == [CaptureNote(.damage, Self.limit("4096 bytes"), offset: end)])
    #expect(try CaptureFile(bytes, InflationLimit(1 << 20)).packets == plain)
  }

  @Test func `the logs of a bug report have one limit together`() throws {
    let bytes = BytesInMemory(try Self.compressed("bug-report.zip"))
    let whole = try CaptureFile(bytes, InflationLimit(1 << 20)).packets
    let file = try CaptureFile(bytes, InflationLimit(4096))
    let packets = file.packets
    #expect(packets.reduce(0) { $0 + $1.bytes.count } < 4096)
    #expect(packets.count > 10 && packets.allSatisfy(whole.contains))
    #expect(file.notes.contains { $0.kind == .damage && $0.text.hasSuffix(": " + Self.limit("4096 bytes")) })
  }

  @Test func `a bug report whose text is longer than the limit`() throws {
    let bytes = BytesInMemory(try Self.compressed("bug-report-text.zip"))
    #expect(throws: CaptureFileError.Reason.tooLong(Self.limit("100 bytes"))) {
      try CaptureFile(bytes, InflationLimit(100))
    }
    #expect(
      CaptureFileError(path: "bugreport.zip", .tooLong("It is.")).description
        == "bugreport.zip has no recording at its beginning. It is.")
    #expect(InflationLimit().damage.text == Self.limit("512 MB"))
  }

  @Test func `the logs of a bug report come in the order of their times`() throws {
    let file = try CaptureFile.open(recording("compressed/bug-report.zip"))
    let packets = file.packets
    let earlier = try CaptureFile.open(recording("jk-bd6a24s10p.btsnoop")).packets.prefix(20)
    let later = try CaptureFile.open(recording("jk-b1a20s15p.btsnoop")).packets
    #expect(packets == earlier + later)
    let folder = "FS/data/misc/bluetooth/logs/"
    #expect(
      file.notes == [
        CaptureNote(
          .other,
          "The bug report has \(folder)btsnoop_hci.log.last, then \(folder)btsnoop_hci.log.")
      ])
    #expect(file.format == "Android bug report, btsnoop (HCI, H4)")
  }

  @Test func `a filtered log is better than none`() throws {
    let file = try CaptureFile.open(recording("compressed/filtered.zip"))
    #expect(file.packets.count == 20)
    #expect(
      file.notes.first
        == CaptureNote(
          .loss,
          "The phone filtered its log, so values may be missing. Set \"Bluetooth HCI snoop log\" to \"Enabled\" in the "
            + "developer options."))
  }

  @Test func `an archive with the long numbers of zip64`() throws {
    let file = try CaptureFile(Self.compressed("zip64.zip"))
    #expect(file.packets.count == 20)
  }

  @Test func `a bug report without a log`() throws {
    #expect(throws: CaptureFileError.Reason.noRecordingInZip) {
      try CaptureFile(Self.compressed("without-log.zip"))
    }
    #expect(
      CaptureFileError(path: "bugreport.zip", .noRecordingInZip).description
        == "bugreport.zip has no recording of Bluetooth. blemu looked for btsnoop_hci.log in FS/data/misc/bluetooth/logs "
        + "and FS/data/log/bt, and for a log in the report's text. Switch on \"Bluetooth HCI snoop log\" in the developer "
        + "options, switch Bluetooth off and on, and make a new bug report.")
  }

  @Test func `a bug report that is cut off`() throws {
    let whole = try Self.compressed("bug-report.zip")
    #expect(
      throws: CaptureFileError.Reason.damaged(
        "The zip archive is cut off: its directory, which is at the end, is missing.")
    ) { try CaptureFile(Array(whole.prefix(2000))) }
  }
}
