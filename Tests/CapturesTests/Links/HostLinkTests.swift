import Captures
import Testing

@Suite struct HostLinkTests {
  /// LE Connection Complete: status, handle 0x0040, role, type of the address, address, 24 × 1.25 ms, 0, 5 s, accuracy.
  static let asCentral = "< 04 3E 13 01  00 40 00 00  00 66 55 44 33 22 11  18 00 00 00 F4 01 00"
  static let asPeripheral = "< 04 3E 13 01  00 40 00 01  00 66 55 44 33 22 11  18 00 00 00 F4 01 00"
  /// Handle 0x0040, first or whole; length; length and channel of L2CAP; Read Request of 0x0003.
  static let request = "02 40 00 07 00 03 00 04 00 0A 03 00"
  /// Read Response 0x55.
  static let response = "02 40 20 06 00 02 00 04 00 0B 55"

  @Test func `a host that connects is the central`() {
    let capture = capture([
      Self.asCentral, "> \(Self.request)", "< \(Self.response)",
      // Encryption Change; LE Connection Update Complete
      "< 04 08 04 00 40 00 01", "< 04 3E 0A 03 00 40 00 27 00 00 00 2A 00",
      // Connection Parameter Update Request from the peer; Pairing Request; Disconnection Complete
      "< 02 40 20 10 00 0C 00 05 00 12 01 08 00 06 00 06 00 00 00 64 00",
      "> 02 40 00 0B 00 07 00 06 00 01 04 00 2D 10 07 07", "< 04 05 04 00 40 00 16",
    ])
    #expect(
      capture.lines == [
        "11:22:33:44:55:66", "link of ? from 0", "0 parameters 24 0 500", "1 > 0A 03 00", "2 < 0B 55",
        "3 encrypted", "4 parameters 39 0 42", "5 < signal 12 01 08 00 06 00 06 00 00 00 64 00",
        "6 > SMP 01 04 00 2D 10 07 07", "end 7 local-host by central",
      ])
    #expect(capture.packetCount == 8)
    #expect(capture.start == .milliseconds(0))
    #expect(capture.end == .milliseconds(7))
  }

  @Test func `a host to which another connects is the peripheral`() {
    let capture = capture([
      // Read BD_ADDR is complete
      "< 04 0E 0A 01 09 10 00 01 00 00 DC 1A 00",
      // LE Set Advertising Parameters with the public address, LE Set Advertising Enable, and their completions
      "> 01 06 20 0F A0 00 B0 00 00 00 00 00 00 00 00 00 00 07 00", "< 04 0E 04 01 06 20 00",
      "> 01 0A 20 01 01", "< 04 0E 04 01 0A 20 00",
      Self.asPeripheral, "< 02 40 20 07 00 03 00 04 00 0A 03 00", "> 02 40 00 06 00 02 00 04 00 0B 55",
      "< 04 05 04 00 40 00 13",
    ])
    #expect(
      capture.lines == [
        "00:1A:DC:00:00:01", "3 connectable 160-176: ", "link of 11:22:33:44:55:66 from 5",
        "5 parameters 24 0 500", "6 > 0A 03 00", "7 < 0B 55", "end 8 remote-user-terminated by central",
      ])
  }

  @Test func `the address of the central is the one that its host connects with`() {
    let connection =
      "> 01 0D 20 19 60 00 60 00 00 00 66 55 44 33 22 11 01 18 00 18 00 00 00 F4 01 00 00 00 00"
    #expect(
      capture(["> 01 05 20 06 06 05 04 03 02 C1", connection, "< 04 0F 04 00 01 0D 20", Self.asCentral]).lines
        .contains("link of C1:02:03:04:05:06 (random) from 3"))
    // LE Enhanced Connection Complete has a resolvable private address of this side
    let enhanced =
      "< 04 3E 1F 0A 00 40 00 00 00 66 55 44 33 22 11 06 05 04 03 02 71 00 00 00 00 00 00 18 00 00 00 F4 01 00"
    #expect(capture([enhanced]).lines.contains("link of 71:02:03:04:05:06 (random) from 0"))
  }

  /// Of a link that began earlier.
  @Test(
    arguments: [
      (["> \(request)", "< \(response)"], ["unknown", "link of ? from ?", "0 > 0A 03 00", "1 < 0B 55"]),
      (["< 02 40 20 07 00 03 00 04 00 1B 03 00"], ["unknown", "link of ? from ?", "0 < 1B 03 00"]),
      // the host answers
      (
        ["< 02 40 20 07 00 03 00 04 00 0A 03 00", "> 02 40 00 06 00 02 00 04 00 0B 55"],
        ["unknown", "link of ? from ?", "0 > 0A 03 00", "1 < 0B 55"]
      ),
      // a Security Request is the peripheral's, whoever asks in ATT
      (
        ["> \(request)", "> 02 40 00 06 00 02 00 06 00 0B 01"],
        ["unknown", "link of ? from ?", "0 < 0A 03 00", "1 < SMP 0B 01"]
      ),
    ])
  func `what is said tells the central of a link that began earlier`(packets: [String], lines: [String]) {
    #expect(capture(packets).lines == lines)
  }

  @Test func `a device that reads from the phone says so itself`() {
    #expect(
      capture([
        Self.asCentral, "< 02 40 20 07 00 03 00 04 00 0A 03 00", "> 02 40 00 06 00 02 00 04 00 0B 55",
      ]).lines.suffix(2) == ["1 < 0A 03 00", "2 > 0B 55"])
  }

  @Test func `a handle that is used again is another link`() {
    let other = "< 04 3E 13 01  00 40 00 00  01 06 05 04 03 02 C1  18 00 00 00 F4 01 00"
    #expect(
      capture([Self.asCentral, "< 04 05 04 00 40 00 08", other, "> \(Self.request)"]).lines == [
        "11:22:33:44:55:66", "link of ? from 0", "0 parameters 24 0 500", "end 1 supervision-timeout by ?",
        "C1:02:03:04:05:06 (random)", "link of ? from 2", "2 parameters 24 0 500", "3 > 0A 03 00",
      ])
    // The end of the first is missing.
    #expect(
      capture([Self.asCentral, other]).lines == [
        "11:22:33:44:55:66", "link of ? from 0", "0 parameters 24 0 500", "1 gap",
        "C1:02:03:04:05:06 (random)", "link of ? from 1", "1 parameters 24 0 500",
      ])
  }

  @Test func `the reason for an end is the one that the other side gets`() {
    // Disconnect: handle, reason; Command Status; Disconnection Complete
    let lines = capture([
      Self.asPeripheral, "> 01 06 04 03 40 00 3B", "< 04 0F 04 00 01 06 04", "< 04 05 04 00 40 00 16",
    ]).lines
    #expect(lines.last == "end 3 unacceptable-connection-parameters by peripheral")
  }

  @Test func `adapters have links of their own`() {
    let other = "2< 04 3E 13 01  00 40 00 00  01 06 05 04 03 02 C1  18 00 00 00 F4 01 00"
    #expect(
      capture([Self.asCentral, other, "2> \(Self.request)", "< \(Self.response)"]).lines == [
        "11:22:33:44:55:66", "link of ? from 0", "0 parameters 24 0 500", "3 < 0B 55",
        "C1:02:03:04:05:06 (random)", "link of ? from 1", "1 parameters 24 0 500", "2 > 0A 03 00",
      ])
  }

  @Test func `a reset ends the links`() {
    #expect(
      capture([Self.asCentral, "> 01 03 0C 00", "< 04 0E 04 01 03 0C 00", "< \(Self.response)"]).lines == [
        "11:22:33:44:55:66", "link of ? from 0", "0 parameters 24 0 500", "end 1 ? by ?",
        "unknown", "link of ? from ?", "3 < 0B 55",
      ])
  }

  @Test func `links whose device is unknown are of one device unless they overlap`() {
    let (three, four) = ("> 02 03 00 07 00 03 00 04 00 0A 03 00", "> 02 04 00 07 00 03 00 04 00 0A 03 00")
    #expect(capture([three, three, four, four]).devices.map(\.connections.count) == [2])
    #expect(capture([three, four, three, four]).devices.map(\.connections.count) == [1, 1])
  }
}
