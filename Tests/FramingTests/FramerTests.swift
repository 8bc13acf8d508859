import TestSupport
import Testing

@testable import Framing

/// A rule, a stream that arrives at once, and its frames.
struct FramingExample: Sendable, CustomTestStringConvertible {
  let name: String
  let rule: FramingRule
  let stream: String
  let outputs: [FramerOutput]

  init(_ name: String, _ rule: FramingRule, _ stream: String, _ outputs: FramerOutput...) {
    self.name = name
    self.rule = rule
    self.stream = stream
    self.outputs = outputs
  }

  var testDescription: String { name }
  var bytes: [UInt8] { hex(stream) }
}

@Suite struct FramerTests {
  @Test(arguments: examples)
  func `finds the frames of a stream that arrives at once`(example: FramingExample) {
    var framer = Framer(example.rule)
    #expect(framer.append(example.bytes, at: Instant()).coalesced == example.outputs)
  }

  @Test(arguments: examples)
  func `finds the same frames however the stream is torn`(example: FramingExample) {
    for split in 0...example.bytes.count {
      var framer = Framer(example.rule)
      let head = framer.append(Array(example.bytes[..<split]), at: Instant())
      let tail = framer.append(Array(example.bytes[split...]), at: .milliseconds(1))
      #expect((head + tail).coalesced == example.outputs, "torn at \(split)")
    }
  }

  @Test(arguments: examples)
  func `finds the same frames byte by byte`(example: FramingExample) {
    var framer = Framer(example.rule)
    let outputs = example.bytes.flatMap { framer.append([$0], at: Instant()) }
    #expect(outputs.coalesced == example.outputs)
  }

  @Test func `a later alternative gets its packet after a silence`() {
    var framer = Framer(
      FramingRule(
        .alternatives([
          PacketFormat(start: [0xA5], extent: .fixed(5)), PacketFormat(start: [0xA5], extent: .fixed(2)),
        ]), gap: .milliseconds(10)))
    #expect(framer.append(hex("A5 01"), at: Instant()) == [])
    #expect(framer.expire(at: .milliseconds(10)) == [.frame(hex("A5 01"))])
    #expect(framer.append(hex("A5 01 02 03 04"), at: .milliseconds(20)) == [.frame(hex("A5 01 02 03 04"))])
  }

  /// `A5`, the total length, content, XOR of all before.
  static let bracelet = PacketFormat(
    start: [0xA5], extent: .lengthField(LengthField(at: 1, counts: .frame)),
    check: CheckField(checksum("xor8")))
  /// `DD`, status or command, payload length, payload, 16-bit negative sum, `77`.
  static let battery = PacketFormat(
    start: [0xDD], extent: .lengthField(LengthField(at: 3, counts: .payload)),
    check: CheckField(checksum("negative-sum16"), from: 2), tail: [0x77])
  static let jk = PacketFormat(
    start: hex("55 AA EB 90"), extent: .fixed(6), check: CheckField(checksum("sum8")))

  static let examples: [FramingExample] = [
    FramingExample(
      "lines", FramingRule(.delimited(Delimiter(hex("0D 0A")))), "41 54 0D 0A 0D 0A 0D 41 0D 0A",
      .frame(hex("41 54")), .frame([]), .frame(hex("0D 41"))),
    FramingExample(
      "lines with their ends", FramingRule(.delimited(Delimiter([0x0A], isKept: true))), "41 0A 42 0A",
      .frame(hex("41 0A")), .frame(hex("42 0A"))),
    FramingExample(
      "a line of just the limit", FramingRule(.delimited(Delimiter(hex("0D 0A"))), maxLength: 4),
      "41 42 0D 0A", .frame(hex("41 42"))),
    FramingExample(
      "a line too long", FramingRule(.delimited(Delimiter(hex("0D 0A"))), maxLength: 4),
      "41 42 43 0D 0A 44 0D 0A",
      .discarded(hex("41 42 43 0D 0A"), reason: .overflow(limit: 4)), .frame(hex("44"))),
    FramingExample(
      "a line far too long", FramingRule(.delimited(Delimiter(hex("0D 0A"))), maxLength: 4),
      "41 42 43 44 45 46 47 48 0D 49 0D 0A 44 0D 0A",
      .discarded(hex("41 42 43 44 45 46 47 48 0D 49 0D 0A"), reason: .overflow(limit: 4)), .frame(hex("44"))),
    FramingExample(
      "fixed length", FramingRule(.packet(PacketFormat(extent: .fixed(2)))), "41 42 43 44",
      .frame(hex("41 42")), .frame(hex("43 44"))),
    FramingExample(
      "robot remote: the tail is also data",
      FramingRule(.packet(PacketFormat(extent: .fixed(4), tail: [0x3A]))), "00 3A 00 3A 04 3A 00 3A",
      .frame(hex("00 3A 00 3A")), .frame(hex("04 3A 00 3A"))),
    FramingExample(
      "robot remote: one byte lost", FramingRule(.packet(PacketFormat(extent: .fixed(4), tail: [0x3A]))),
      "7F 00 3A 0C 7F 7F 3A",
      .discarded(hex("7F 00 3A"), reason: .badTail(expected: [0x3A], found: [0x0C])),
      .frame(hex("0C 7F 7F 3A"))),
    FramingExample(
      "bracelet", FramingRule(.packet(bracelet)), "A5 06 03 01 02 A3 A5 06 83 05 00 25",
      .frame(hex("A5 06 03 01 02 A3")), .frame(hex("A5 06 83 05 00 25"))),
    FramingExample(
      "garbage before the start", FramingRule(.packet(bracelet)), "00 FF A5 06 03 01 02 A3",
      .discarded(hex("00 FF"), reason: .noStart(expected: [0xA5])), .frame(hex("A5 06 03 01 02 A3"))),
    FramingExample(
      "a bad checksum", FramingRule(.packet(bracelet)), "A5 06 03 01 02 A4 A5 06 83 05 00 25",
      .discarded(hex("A5 06 03 01 02 A4"), reason: .badChecksum(expected: [0xA3], found: [0xA4])),
      .frame(hex("A5 06 83 05 00 25"))),
    FramingExample(
      "a good packet behind a false start", FramingRule(.packet(bracelet)), "A5 06 A5 06 03 01 02 A3",
      .discarded(hex("A5 06"), reason: .badChecksum(expected: [0x03], found: [0x01])),
      .frame(hex("A5 06 03 01 02 A3"))),
    FramingExample(
      "a length too short", FramingRule(.packet(bracelet)), "A5 02 A5 06 03 01 02 A3",
      .discarded(hex("A5 02"), reason: .badLength(2, allowed: 3...512)), .frame(hex("A5 06 03 01 02 A3"))),
    FramingExample(
      "a length too long", FramingRule(.packet(bracelet), maxLength: 20), "A5 A5 06 03 01 02 A3",
      .discarded(hex("A5"), reason: .badLength(0xA5, allowed: 3...20)), .frame(hex("A5 06 03 01 02 A3"))),
    FramingExample(
      "battery: payload length, checksum before the tail", FramingRule(.packet(battery)),
      "DD 04 00 08 0C FD 0C FE 0C FF 0D 00 FC CD 77 DD 04 00 00 00 00 78",
      .frame(hex("DD 04 00 08 0C FD 0C FE 0C FF 0D 00 FC CD 77")),
      .discarded(hex("DD 04 00 00 00 00 78"), reason: .badTail(expected: [0x77], found: [0x78]))),
    FramingExample(
      "rest after a two-byte length",
      FramingRule(
        .packet(
          PacketFormat(start: [0xAB], extent: .lengthField(LengthField(at: 1, width: 2, counts: .rest))))),
      "AB 00 03 FF 71 80 AB 00 00", .frame(hex("AB 00 03 FF 71 80")), .frame(hex("AB 00 00"))),
    FramingExample(
      "a little-endian length with a correction",
      FramingRule(
        .packet(
          PacketFormat(
            extent: .lengthField(
              LengthField(at: 0, width: 2, byteOrder: .littleEndian, counts: .payload, adjust: 1)),
            tail: [0x0A]))),
      "01 00 41 42 0A", .frame(hex("01 00 41 42 0A"))),
    FramingExample(
      "trailing bytes behind the checksum",
      FramingRule(
        .packet(
          PacketFormat(
            start: [0xA5], extent: .fixed(9), check: CheckField(checksum("sum8"), from: 1, trailing: 1)))),
      "A5 30 18 00 7F 00 00 C7 00", .frame(hex("A5 30 18 00 7F 00 00 C7 00"))),
    FramingExample(
      "a start of several bytes, half of it false", FramingRule(.packet(jk)),
      "55 55 AA 55 AA EB 90 01 7B", .discarded(hex("55 55 AA"), reason: .noStart(expected: jk.start)),
      .frame(hex("55 AA EB 90 01 7B"))),
    FramingExample(
      "the start of the next packet at the end of a bad one", FramingRule(.packet(jk)),
      "55 AA EB 90 01 55 AA EB 90 01 7B",
      .discarded(hex("55 AA EB 90 01"), reason: .badChecksum(expected: [0x7B], found: [0x55])),
      .frame(hex("55 AA EB 90 01 7B"))),
    FramingExample(
      "start and tail",
      FramingRule(.packet(PacketFormat(start: [0x3C], extent: .untilTail, tail: [0x3E]))),
      "66 3C 31 32 38 3E 62",
      .discarded(hex("66"), reason: .noStart(expected: [0x3C])), .frame(hex("3C 31 32 38 3E")),
      .discarded(hex("62"), reason: .noStart(expected: [0x3C]))),
    FramingExample(
      "start and no tail in time",
      FramingRule(.packet(PacketFormat(start: [0x3C], extent: .untilTail, tail: [0x3E])), maxLength: 4),
      "3C 31 32 3C 31 3E", .discarded(hex("3C 31 32"), reason: .overflow(limit: 4)), .frame(hex("3C 31 3E"))),
    FramingExample(
      "start, checksum, tail",
      FramingRule(
        .packet(
          PacketFormat(
            start: [0x3C], extent: .untilTail, check: CheckField(checksum("xor8"), from: 1), tail: [0x3E]))),
      "3C 31 32 03 3E", .frame(hex("3C 31 32 03 3E"))),
  ]
}

@Suite struct FramerSilenceTests {
  @Test func `takes each write for a frame`() {
    var framer = Framer(.raw)
    #expect(framer.append(hex("01 02"), at: Instant()) == [.frame(hex("01 02"))])
    #expect(framer.append([], at: Instant()) == [.frame([])])
    #expect(framer.deadline == nil)
  }

  @Test func `ends a frame when nothing more comes`() {
    var framer = Framer(FramingRule(.idle(.milliseconds(50))))
    #expect(framer.append(hex("41 54"), at: .milliseconds(0)) == [])
    #expect(framer.append(hex("2B"), at: .milliseconds(49)) == [])
    #expect(framer.deadline == .milliseconds(99))
    #expect(framer.expire(at: .milliseconds(98)) == [])
    #expect(framer.expire(at: .milliseconds(99)) == [.frame(hex("41 54 2B"))])
    #expect(framer.deadline == nil)
  }

  @Test func `cuts an endless burst at the limit, and a silence ends the rest`() {
    var framer = Framer(FramingRule(.idle(.milliseconds(50)), maxLength: 3))
    #expect(framer.append(hex("01 02 03 04"), at: .milliseconds(0)) == [.frame(hex("01 02 03"))])
    #expect(framer.append(hex("05"), at: .milliseconds(40)) == [])
    #expect(framer.append(hex("06"), at: .milliseconds(80)) == [.frame(hex("04 05 06"))])
    #expect(framer.append(hex("07"), at: .milliseconds(90)) == [])
    #expect(framer.expire(at: .milliseconds(140)) == [.frame(hex("07"))])
  }

  @Test func `discards an unfinished packet after the gap`() {
    var framer = Framer(FramingRule(.packet(FramerTests.bracelet), gap: .milliseconds(200)))
    #expect(framer.append(hex("A5 06 03"), at: .milliseconds(0)) == [])
    #expect(framer.deadline == .milliseconds(200))
    #expect(
      framer.expire(at: .milliseconds(200)) == [.discarded(hex("A5 06 03"), reason: .gap(.milliseconds(200)))]
    )
    #expect(framer.append(hex("A5 06 03 01 02 A3"), at: .milliseconds(201)).count == 1)
  }

  @Test func `keeps to the gap even without a call at the deadline`() {
    var framer = Framer(FramingRule(.packet(FramerTests.bracelet), gap: .milliseconds(200)))
    _ = framer.append(hex("A5 06 03"), at: .milliseconds(0))
    #expect(
      framer.append(hex("A5 06 03 01 02 A3"), at: .milliseconds(500)) == [
        .discarded(hex("A5 06 03"), reason: .gap(.milliseconds(200))), .frame(hex("A5 06 03 01 02 A3")),
      ])
  }

  @Test func `delivers a good packet that a false start had swallowed`() {
    var framer = Framer(FramingRule(.packet(FramerTests.bracelet), gap: .milliseconds(200)))
    #expect(framer.append(hex("A5 40 A5 06 03 01 02 A3 A5"), at: .milliseconds(0)) == [])
    #expect(
      framer.expire(at: .milliseconds(200)) == [
        .discarded(hex("A5 40"), reason: .gap(.milliseconds(200))), .frame(hex("A5 06 03 01 02 A3")),
        .discarded(hex("A5"), reason: .gap(.milliseconds(200))),
      ])
  }

  @Test func `returns unfinished bytes when the stream ends`() {
    var framer = Framer(FramingRule(.delimited(Delimiter([0x0A]))))
    _ = framer.append(hex("41 42"), at: Instant())
    #expect(framer.finish() == [.discarded(hex("41 42"), reason: .endOfStream)])
    #expect(framer.finish() == [])
  }

  @Test(arguments: [
    (DiscardReason.badChecksum(expected: [0xA3], found: [0xA4]), "checksum is A4, should be A3"),
    (.badLength(2, allowed: 3...512), "length 2 is outside 3 to 512"),
    (.badTail(expected: [0x77], found: [0x78]), "ends in 78, should end in 77"),
    (.noStart(expected: [0xA5]), "does not start with A5"),
    (.overflow(limit: 512), "no frame ended within 512 bytes"),
    (.gap(.milliseconds(200)), "unfinished after 200 ms of silence"),
    (.endOfStream, "unfinished when the stream ended"),
  ])
  func `gives the reason in one line`(reason: DiscardReason, text: String) {
    #expect(reason.description == text)
  }
}
