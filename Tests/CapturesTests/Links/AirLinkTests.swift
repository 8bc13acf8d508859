import Captures
import Testing

@Suite struct AirLinkTests {
  /// CONNECT_IND from a random to a public address: both, access address, initial CRC, window, 24 × 1.25 ms, 0, 5 s, channels.
  static let connection = """
    0 - D6BE898E 4522 0605040302C1 665544332211 F5A6DD92 852F0A 020100 1800 0000 F401 FFFFFFFF1F 06
    """
  static let head = [
    "11:22:33:44:55:66", "link of C1:02:03:04:05:06 (random) from 0", "0 parameters 24 0 500",
  ]

  /// The packets after the request, with times relative to the one before: 230 µs are an empty packet and the pause, 318 one of 11 bytes.
  @Test(
    arguments: [
      // Read Request, which an empty packet acknowledges; the response in the next event
      (
        [
          "3000 - F5A6DD92 0207 0300 0400 0A0300", "286 - F5A6DD92 0500", "30000 - F5A6DD92 0900",
          "230 - F5A6DD92 0A06 0200 0400 0B55",
        ],
        ["3 > 0A 03 00", "33 < 0B 55"]
      ),
      // both sent again, as their SN says
      (
        [
          "3000 - F5A6DD92 0207 0300 0400 0A0300", "30000 - F5A6DD92 0207 0300 0400 0A0300",
          "286 - F5A6DD92 0206 0200 0400 0B55", "30000 - F5A6DD92 0D00", "230 - F5A6DD92 0206 0200 0400 0B55",
        ],
        ["3 > 0A 03 00", "33 < 0B 55"]
      ),
      // two notifications that are equal, but not the same packet
      (
        ["3000 < F5A6DD92 0207 0300 0400 1B0300", "30000 < F5A6DD92 0A07 0300 0400 1B0300"],
        ["3 < 1B 03 00", "33 < 1B 03 00"]
      ),
      // another packet with the same SN: there was one between them
      (
        ["3000 < F5A6DD92 0207 0300 0400 1B0300", "30000 < F5A6DD92 0207 0300 0400 1B0400"],
        ["3 < 1B 03 00", "33 gap", "33 < 1B 04 00", "loss at 2"]
      ),
      // a wrong CRC
      (["3000 > F5A6DD92 0207 0300 0400 0A0300!"], ["loss at 1"]),
      // fragments, and one that is missing
      (
        ["3000 > F5A6DD92 0205 0300 0400 0A", "30000 > F5A6DD92 0902 0300", "30000 > F5A6DD92 0102 0300"],
        ["33 > 0A 03 00", "63 gap", "loss at 3"]
      ),
      // the sniffer's note is wrong, as the time shows
      (
        ["3000 > F5A6DD92 0100", "230 > F5A6DD92 0206 0200 0400 0B55"], ["3 < 0B 55"]
      ),
      // the time is right by chance
      (
        ["3000 < F5A6DD92 0207 0300 0400 1B0300", "286 < F5A6DD92 0A07 0300 0400 1B0400"],
        ["3 < 1B 03 00", "3 < 1B 04 00"]
      ),
      // nothing but the opcode tells the sender
      (["3000 - F5A6DD92 0206 0200 0400 0B55"], ["3 < 0B 55"]),
      // the device reads from the central, as the sniffer says
      (["3000 < F5A6DD92 0207 0300 0400 0A0300"], ["3 < 0A 03 00"]),
      // LL_CONNECTION_UPDATE_IND: window, parameters, instant; LL_TERMINATE_IND
      (
        ["3000 > F5A6DD92 030C 00 01 0100 2700 0000 2A00 0600", "30000 < F5A6DD92 0302 02 13"],
        ["3 parameters 39 0 42", "end 33 remote-user-terminated by peripheral"]
      ),
      // Security Request, signalling; another channel
      (
        [
          "3000 < F5A6DD92 0206 0200 0600 0B01", "30000 < F5A6DD92 0A08 0400 0500 06010000",
          "30000 < F5A6DD92 0206 0200 4000 0B01",
        ],
        ["3 < SMP 0B 01", "33 < signal 06 01 00 00", "other at 3"]
      ),
    ])
  func `packets become what is said`(packets: [String], lines: [String]) {
    #expect(airCapture([Self.connection] + packets).lines == Self.head + lines)
  }

  /// LL_ENC_REQ, LL_ENC_RSP, LL_START_ENC_REQ: in clear text.
  static let encryption = [
    "3000 > F5A6DD92 0317 03 \(String(repeating: "00", count: 22))",
    "30000 < F5A6DD92 030D 04 \(String(repeating: "00", count: 12))", "30000 < F5A6DD92 0B01 05",
  ]

  @Test func `an encrypted link cannot be read`() {
    let capture = airCapture(
      [Self.connection] + Self.encryption + [
        "3000 > F5A6DD92 0B05 9A17C30355", "3000 > F5A6DD92 020B 0300040011223344556677",
        "3000 > F5A6DD92 0B06 118822AA01CC",
      ])
    #expect(capture.lines == Self.head + ["66 encrypted", "encryption at 4"])
    #expect(
      capture.notes.map(\.text) == [
        "The Link Layer is encrypted from here on, and the sniffer does not have the key. A recording of HCI, made on the phone or the computer itself, is in clear text."
      ])
  }

  @Test(arguments: ["", "~"])
  func `a sniffer with the key reads on`(mark: String) {
    #expect(
      airCapture(
        [Self.connection] + Self.encryption + [
          "3000 > F5A6DD92 0B01 06\(mark)", "3000 > F5A6DD92 0207 0300 0400 0A0300\(mark)",
        ]
      ).lines == Self.head + ["66 encrypted", "69 > 0A 03 00"])
  }

  @Test func `a link whose request was missed is that of an unknown device`() {
    #expect(
      airCapture([
        "0 > 11223344 0100", "3000 - 11223344 0206 0200 0400 0B55", "9000 - 11223344 0A07 0300 0400 0A0300",
      ]).lines == ["unknown", "link of ? from ?", "3 < 0B 55", "12 > 0A 03 00"])
    // Encrypted, or noise
    #expect(
      airCapture(["0 > 11223344 0205 0102030405", "0 > 11223344 0205 0102030405"]).lines == [
        "encryption at 0"
      ])
  }

  @Test(arguments: [
    "0 - D6BE", "0 - D6BE898E 4022 06", "0 - D6BE898E 0003 010203", "0 - 11223344 0209 01",
    "0 - D6BE898E 0F00",
  ])
  func `other packets are no matter`(packet: String) {
    #expect(airCapture([packet]).devices == [])
  }

  /// A link whose CRCs the sniffer has not checked, after a right request: `!` has a wrong one.
  private static func unchecked(_ packets: [String]) -> Capture {
    var tracker = LinkTracker(format: "by hand")
    for (number, line) in ([connection] + packets).enumerated() {
      var reception = LinkLayerReception()
      if number == 0 || !line.hasSuffix("!") { (reception.hasRightCRC, reception.crcLength) = (true, 0) }
      let words = line.split(separator: " ").dropFirst(2).joined()
      tracker.take(
        CapturedPacket(
          time: .milliseconds(Int64(number)), layer: .linkLayer(reception),
          bytes: bytes(words) + (reception.crcLength == 0 ? [] : [0, 0, 0]), offset: number))
    }
    return tracker.finish()
  }

  @Test func `CRCs that are nearly all wrong were not recorded`() {
    // Read Requests of one handle after another, with alternating SN.
    let requests = (0..<20).map { "0 > F5A6DD92 \($0 % 2 == 0 ? "02" : "0A")07 0300 0400 0A\($0 + 16)00!" }
    let right = "0 > F5A6DD92 0207 0300 0400 0A0300"
    #expect(Self.unchecked(requests).devices.first?.connections.first?.events.count == 21)
    #expect(Self.unchecked(Array(requests.prefix(3))).devices.first?.connections.first?.events.count == 4)
    #expect(Self.unchecked([right] + requests.prefix(3)).devices.first?.connections.first?.events.count == 2)
    #expect(Self.unchecked([right] + requests.prefix(3)).notes.map(\.kind) == [.loss])
  }

  @Test func `a decrypted packet may keep the CRC of the encrypted one`() {
    // LL_ENC_REQ, LL_ENC_RSP, LL_START_ENC_RSP, a Read Request, and noise.
    let zeros = String(repeating: "00", count: 22)
    let capture = Self.unchecked([
      "0 > F5A6DD92 0317 03\(zeros)", "0 < F5A6DD92 030D 04\(zeros.prefix(24))", "0 > F5A6DD92 0B01 06!",
      "0 > F5A6DD92 0207 0300 0400 0A0300!", "0 > F5A6DD92 0A07 5512 9876 0A0300!",
    ])
    let events = capture.devices.first?.connections.first?.events.map(\.kind)
    #expect(events?.contains(.encryption(true)) == true)
    #expect(events?.last == .attribute([0x0A, 0x03, 0x00], from: .central))
    #expect(Set(capture.notes.map(\.kind)) == [.other, .loss])
  }
}
