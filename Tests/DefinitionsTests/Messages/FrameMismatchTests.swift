import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Definitions

/// What is said of messages and framings is true of the framer.
@Suite struct FrameMismatchTests {
  static let templates = [
    "A5 06 03 01 02 A3", "A5 06 03 01 02 A4", "A5 {size: u8} {xor8}", "A5 {size: u8} {a: u8} {xor8}",
    "A5 {size: u8} {a: bytes(0..3)} {xor8}", "A5 {size - 3: u8} {a: bytes(0..3)} {xor8}",
    "A5 {size(a): u8} {a: bytes(0..3)}",
    "A5 {size(a): u8} {a: bytes(0..3)} {xor8}", "A5 {size(a) + 3: u8} {a: bytes(0..3)} {xor8}",
    "A5 03 {a: u8}",
    "A5 {size: u8} {maybe}{a: u8}{end}{xor8}", "A5 {count(r): u8} {repeat r(0..3)}{a: u8}{end}{xor8}",
    "A5 {size(r): u8} {repeat r(0..3)}{a: u8}{end}{xor8}", "{a: bytes(0..5)}", "{a: u8} {b: u8} {c: u8}",
    "A5 {pad(5)} {xor8}",
    "A5 {a: u8} {xor8} 77", "A5 {a: u8} 77 {xor8}", "A5 {a: bytes(0..3)} 77",
    "A5 {a: bytes(1..3)} {sum8(1)} 77",
    "A5 {bits(0: 4, a: 4)} {xor8} 77", "A5 00 {size - 4: u16le} {a: bytes(0..3)}",
    "A5 00 {size - 4: u16be} {a: bytes(0..3)}",
    "A5 00 {size - 4: u16le}", "A5 77 77 {a: u8} 77", "41 54 0D 0A", "41 54 {a: bytes(0..3)}",
    "41 {a: u8} 0D 0A 42",
    "00 {a: u8} {xor8(1)}",
  ]

  static let framings: [FramingRule] = [
    FramingRule(.delimited(Delimiter([0x0D, 0x0A])), maxLength: 6),
    FramingRule(.idle(.milliseconds(1)), maxLength: 4),
    packet(PacketFormat(start: [0xA5], extent: .fixed(4))),
    packet(PacketFormat(start: [0xA5], extent: .fixed(6), check: xor)),
    packet(PacketFormat(extent: .fixed(3), check: xor)),
    packet(PacketFormat(start: [0xA5], extent: length(.frame), check: xor)),
    packet(PacketFormat(start: [0xA5], extent: length(.payload), check: xor)),
    packet(PacketFormat(start: [0xA5], extent: length(.rest))),
    packet(PacketFormat(extent: .lengthField(LengthField(at: 2, width: 2, counts: .rest)))),
    packet(PacketFormat(start: [0xA5], extent: .untilTail, tail: [0x77])),
    packet(PacketFormat(start: [0xA5], extent: .untilTail, check: xor, tail: [0x77])),
    packet(
      PacketFormat(
        start: [0xA5], extent: .untilTail, check: CheckField(Checksum.named("sum8")!, from: 1), tail: [0x77])),
    FramingRule(
      .alternatives([
        PacketFormat(start: [0xA5], extent: length(.frame), check: xor),
        PacketFormat(start: [0x41], extent: .fixed(4)),
      ])),
  ]

  private static let xor = CheckField(Checksum.named("xor8")!)

  private static func length(_ counts: LengthField.Counts) -> PacketFormat.Extent {
    .lengthField(LengthField(at: 1, counts: counts))
  }

  private static func packet(_ format: PacketFormat) -> FramingRule {
    FramingRule(.packet(format), maxLength: 16)
  }

  /// One checksum may be another by coincidence, and a size of 0 is the same in both byte orders. No author means that.
  @Test(arguments: framings)
  func `a message that the framer delivers has no mismatch`(framing: FramingRule) throws {
    var random = SplitMix64(seed: 3)
    var deliveredCount = 0
    for text in Self.templates {
      let message = try MessageTemplate(name: "m", template: text)
      let mismatch = message.mismatch(with: framing)
      var isDelivered = false
      for _ in 0..<400 where !isDelivered {
        guard let frame = try? message.build(message.randomValues(using: &random)) else { continue }
        isDelivered = framing.delivers(frame)
      }
      deliveredCount += isDelivered ? 1 : 0
      #expect(!isDelivered || mismatch.map(\.toleratesCoincidence) ?? true, "\(text)")
    }
    #expect(deliveredCount > 0)
  }

  @Test(arguments: framings)
  func `a message of constant bytes has a mismatch unless the framer delivers it`(framing: FramingRule) throws
  {
    var random = SplitMix64(seed: 4)
    let starts: [[UInt8]] = [[0xA5], [0xA5, 4], [0xA5, 5, 1], [0x41, 0x54], []]
    for _ in 0..<2000 {
      let start = starts.randomElement(using: &random)!
      let rest = (0..<random.next() % 5).map { _ in Self.bytes.randomElement(using: &random)! }
      var frame = start + rest
      if Bool.random(using: &random) { frame += xor(frame) }
      guard !frame.isEmpty else { continue }
      let text = HexText.format(frame)
      let message = try MessageTemplate(name: "m", template: text)
      #expect((message.mismatch(with: framing) == nil) == framing.delivers(frame), "\(text)")
    }
  }

  private static let bytes: [UInt8] = [0x77, 0x0D, 0x0A, 0, 1, 2, 0xA5]

  private func xor(_ bytes: [UInt8]) -> [UInt8] { [bytes.reduce(0, ^)] }
}

extension FrameMismatch {
  fileprivate var toleratesCoincidence: Bool {
    switch self {
    case .missingCheck, .misplacedCheck, .otherCheck, .coverage, .lengthOrder, .tail(_, []): true
    default: false
    }
  }
}

extension FramingRule {
  /// Whether a frame can be exactly these bytes.
  fileprivate func delivers(_ frame: [UInt8]) -> Bool {
    var framer = Framer(self)
    var stream = frame
    if case .delimited(let delimiter) = shape { stream += delimiter.bytes }
    var outputs = framer.append(stream, at: Instant())
    if case .idle = shape { outputs += framer.expire(at: .milliseconds(1)) }
    return outputs == [.frame(frame)]
  }
}
