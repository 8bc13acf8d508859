import TestSupport
import Testing

@testable import Framing

/// Starts of which some bits count, and conditions over whole frames.
@Suite struct MaskTests {
  @Test(arguments: [
    ("9*", "90", "F0", "9*"), ("*5", "05", "0F", "*5"), ("**", "00", "00", "**"),
    ("80/80", "80", "80", "80/80"), ("FF/C0 A5", "C0 A5", "C0 FF", "C0/C0 A5"),
    ("9* 80/80 07", "90 80 07", "F0 80 FF", "9* 80/80 07"), ("9*A5", "90 A5", "F0 FF", "9* A5"),
  ])
  func `a mask is read and written`(text: String, bytes: String, mask: String, written: String) throws {
    let read = try #require(MaskedBytes(text))
    #expect(read == MaskedBytes(hex(bytes), hex(mask)))
    #expect(read.text == written)
    #expect(MaskedBytes(written) == read)
  }

  @Test(arguments: ["", "A5", "9", "9*0", "8*/80", "80/8*", "80/", "/80", "80/80/80", "G*", "9\u{1F600}*"])
  func `other texts have no mask`(text: String) { #expect(MaskedBytes(text) == nil) }

  private static let masked = FramingRule(
    .packet(PacketFormat(start: [0x90, 0x01], startMask: [0xF0, 0xFF], extent: .fixed(3))))
  private static let source = "frame[1] == frame[2] ^ frame[3]"
  private static let checked = FramingRule(
    .packet(
      PacketFormat(
        start: [0xA5], extent: .fixed(4),
        condition: FrameCondition(source: source) { frame throws(ChecksumFailure) in
          if frame[2] == 0xFF { throw ChecksumFailure("no value") }
          return frame[1] == frame[2] ^ frame[3]
        })))

  @Test(arguments: [
    FramingExample(
      "mask", masked, "9A 01 07 00 91 9F 01 08", .frame(hex("9A 01 07")),
      .discarded(hex("00 91"), reason: .noStart(expected: [0x90, 0x01], mask: [0xF0, 0xFF])),
      .frame(hex("9F 01 08"))),
    FramingExample(
      "condition", checked, "A5 03 01 02 A5 04 01 02 A5 00 FF FF A5 00 07 07", .frame(hex("A5 03 01 02")),
      .discarded(hex("A5 04 01 02"), reason: .failedCheck(source)),
      .discarded(hex("A5 00 FF FF"), reason: .noChecksum(source, problem: "no value")),
      .frame(hex("A5 00 07 07"))),
  ])
  func `frames have masked starts and meet their condition`(example: FramingExample) {
    for split in 0...example.bytes.count {
      var framer = Framer(example.rule)
      let head = framer.append(Array(example.bytes[..<split]), at: Instant())
      let tail = framer.append(Array(example.bytes[split...]), at: .milliseconds(1))
      #expect((head + tail).coalesced == example.outputs, "torn at \(split)")
    }
  }
}
