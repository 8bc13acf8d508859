import Captures
import Testing

/// Recordings in which something is missing.
@Suite struct IncompleteHostTests {
  @Test func `fragments become messages`() {
    #expect(
      capture([
        HostLinkTests.asCentral, "> 02 40 00 05 00 03 00 04 00 0A", "> 02 40 10 02 00 03 00",
        "< 02 40 20 02 00 02 00", "< 02 40 10 04 00 04 00 0B 55",
      ]).lines.suffix(2) == ["2 > 0A 03 00", "4 < 0B 55"])
  }

  @Test func `a missing fragment leaves a gap`() {
    #expect(
      capture([
        HostLinkTests.asCentral,
        // the end is missing; then the beginning
        "< 02 40 20 05 00 03 00 04 00 0B", "< \(HostLinkTests.response)", "< 02 40 10 02 00 03 00",
      ]).lines.suffix(4) == ["2 gap", "2 < 0B 55", "3 gap", "loss at 2"])
  }

  @Test func `a packet that the recorder has cut leaves a gap`() {
    let capture = capture([
      HostLinkTests.asCentral, "< 02 40 20 06 00 02 00 04 00…", "< \(HostLinkTests.response)",
      // a packet whose length is wrong, on the link and elsewhere
      "< 02 40 20 06 00 02 00", "< 02 40", "< 04 3E 13 01…",
    ])
    #expect(capture.lines.suffix(5) == ["1 gap", "2 < 0B 55", "3 gap", "loss at 1", "loss at 3"])
    #expect(
      capture.notes.map(\.text) == [
        "The recorder kept only the beginning of 2 packets: the rest of what was said in them is unknown.",
        "2 packets could not be read: the length of the bytes is wrong.",
      ])
  }

  @Test func `a recording that is too long is read as far as there is room`() {
    let packets = [HostLinkTests.asCentral, "> \(HostLinkTests.request)", "< \(HostLinkTests.response)"]
    let capture = capture(packets, capacity: 2)
    #expect(capture.packetCount == 2)
    #expect(capture.lines.suffix(2) == ["1 > 0A 03 00", "loss at 1"])
    #expect(
      capture.notes.map(\.text) == [
        "The recording is too long to learn from at once: what comes after this place was not read. Cut out the part of "
          + "interest, for example with Wireshark."
      ])
  }

  @Test func `only one direction leaves questions`() {
    let sent = capture([HostLinkTests.asCentral, "> \(HostLinkTests.request)", "> \(HostLinkTests.request)"])
    #expect(sent.lines.last == "oneDirection at 0")
    #expect(
      sent.notes.map(\.text) == [
        "The link with 11:22:33:44:55:66 has only what the central sent: the device's answers and values are unknown."
      ])
    let received = capture(["< \(HostLinkTests.response)", "< \(HostLinkTests.response)"])
    #expect(received.lines == ["unknown", "link of ? from ?", "0 < 0B 55", "1 < 0B 55", "oneDirection at 0"])
    // One request may be the last packet of a recording, and notifications need no request.
    #expect(capture([HostLinkTests.asCentral, "> \(HostLinkTests.request)"]).notes == [])
    let notification = "< 02 40 20 07 00 03 00 04 00 1B 03 00"
    #expect(capture([notification, notification]).notes == [])
  }

  @Test func `without directions the kind of a packet tells its direction`() {
    #expect(
      capture([
        HostLinkTests.asCentral.replacing("<", with: "-"), "- 02 40 00 05 00 03 00 04 00 0A",
        "- 02 40 10 02 00 03 00", "- 02 40 20 05 00 02 00 04 00 0B", "- 02 40 10 01 00 55",
      ]).lines.suffix(2) == ["2 > 0A 03 00", "4 < 0B 55"])
  }

  @Test func `Bluetooth Classic is left out`() {
    // Connection Complete: status, handle, address, type, encryption; data that looks like ATT; its end; an LE link
    let lines = capture([
      "< 04 03 0B 00 40 00 01 02 03 04 05 06 01 00", "> \(HostLinkTests.request)", "< 04 05 04 00 40 00 13",
      HostLinkTests.asCentral,
    ]).lines
    #expect(lines == ["11:22:33:44:55:66", "link of ? from 3", "3 parameters 24 0 500", "other at 0"])
    // A link that began earlier, with a signalling packet
    #expect(
      capture(["> 02 40 00 0A 00 06 00 01 00 0A 01 02 00 02 00", "> \(HostLinkTests.request)"]).lines == [
        "other at 0"
      ])
  }

  @Test func `other channels are mentioned once`() {
    let other = "> 02 40 00 07 00 03 00 40 00 0A 03 00"
    #expect(capture([HostLinkTests.asCentral, other, other]).lines.last == "other at 1")
    #expect(capture([HostLinkTests.asCentral, other, other]).notes.count == 1)
    // Data of an unknown link may be anything.
    #expect(capture([other]).lines == [])
  }

  @Test(arguments: [
    "", "> 01", "> 04", "- 02", "< 05 00", "< 03 40 00", "< FF 00", "< 04 3E 02 02 09", "< 04 05 04 00",
  ])
  func `other packets are no matter`(packet: String) {
    #expect(capture(packet.isEmpty ? [] : [packet]).devices == [])
  }
}
