import Glibc
import TestSupport
import Testing

@testable import Captures

/// Files that are no recordings. The messages are whole sentences.
@Suite struct CaptureFileTests {
  private let folder = TemporaryFolder(["empty": "", "text": "12:00 connected\n12:01 disconnected\n"])

  private func message(_ name: String) -> String? {
    do throws(CaptureFileError) {
      _ = try CaptureFile.open(folder.path + name)
      return nil
    } catch {
      return error.description.split(separator: folder.path).joined()
    }
  }

  @Test func `there is no file`() {
    #expect(message("nowhere") == "There is no file nowhere.")
    #expect(message("text/nowhere") == "There is no file text/nowhere.")
  }

  @Test func `a folder is none`() {
    #expect(
      CaptureFileError(path: "logs", .directory).description
        == "logs is a folder. Name the recording in it.")
    #expect(throws: CaptureFileError(path: folder.path, .directory)) { try CaptureFile.open(folder.path) }
  }

  @Test func `an empty file is none`() { #expect(message("empty") == "empty is empty.") }

  @Test func `a text is none`() {
    #expect(
      message("text")
        == "text is not a recording of Bluetooth. blemu reads btsnoop, Android bug reports (zip or text), "
        + "PacketLogger (.pklg), pcap and pcapng, each also with gzip.")
  }

  @Test func `a named pipe is none`() {
    mkfifo(folder.path + "pipe", 0o600)
    #expect(message("pipe") == "pipe is not a regular file. Save the recording to a file first.")
  }

  @Test func `the permission is missing`() {
    #expect(
      CaptureFileError(path: "log", .noPermission).description
        == "You may not read log. Change its permissions, or copy it.")
  }

  @Test func `a data link of btsnoop that blemu does not read`() {
    #expect(throws: CaptureFileError.Reason.foreignDataLink(1004)) {
      try CaptureFile(bytes("62 74 73 6E 6F 6F 70 00  00 00 00 01  00 00 03 EC"))
    }
    #expect(
      CaptureFileError(path: "log", .foreignDataLink(1004)).description
        == "log is a btsnoop file with data link 1004 (H5). blemu reads 1001 (H1), 1002 (H4) and 2001 (Linux monitor)."
    )
  }

  @Test func `a file ends within its head`() {
    #expect(throws: CaptureFileError.Reason.damaged("The file ends within a record.")) {
      try CaptureFile(bytes("62 74 73 6E 6F 6F 70 00  00 00 00 01"))
    }
  }

  @Test func `a recording without Bluetooth LE says so`() throws {
    let head = bytes("62 74 73 6E 6F 6F 70 00  00 00 00 01  00 00 03 EA")
    let reset = bytes(
      "00 00 00 04  00 00 00 04  00 00 00 02  00 00 00 00  00 E2 F0 6D 54 89 00 01  01 03 0C 00")
    for file in [head, head + reset] {
      let capture = Capture(try CaptureFile(file))
      #expect(capture.devices == [])
      #expect(
        capture.notes == [
          CaptureNote(
            .other,
            "The recording has nothing of Bluetooth LE: no device advertises in it, and no link is one of LE."
          )
        ])
    }
  }

  @Test func `a recording is taken apart with its links`() throws {
    let capture = try Capture(path: recording("treadmill.btsnoop"))
    #expect(capture.format == "btsnoop (HCI, H4)")
    #expect(capture.packetCount == 1729)
    #expect(capture.devices.map(\.connections.count) == [1])
    #expect(capture.start?.microseconds == 1_612_150_087_454_817)
    #expect(capture.end?.microseconds == 1_612_150_202_304_942)
    #expect(capture.notes == [])
  }
}
