import TestSupport
import Testing

@testable import Framing

/// Random streams, each the same on every run.
@Suite struct FramerConservationTests {
  static let rules: [FramingRule] = [
    FramingRule(.raw, maxLength: 5),
    FramingRule(.delimited(Delimiter([1], isKept: true)), maxLength: 8),
    FramingRule(.delimited(Delimiter([1, 2, 1], isKept: true)), gap: .milliseconds(5), maxLength: 8),
    FramingRule(.idle(.milliseconds(3)), maxLength: 8),
    packet(PacketFormat(extent: .fixed(3))),
    packet(PacketFormat(extent: .fixed(3), tail: [2])),
    packet(PacketFormat(extent: .fixed(5), check: CheckField(checksum("sum16"), trailing: 1), tail: [0])),
    packet(PacketFormat(start: [1], extent: .untilTail, tail: [2, 2])),
    packet(
      PacketFormat(start: [1, 1, 2], extent: .untilTail, check: CheckField(checksum("xor8")), tail: [3])),
    packet(PacketFormat(extent: .untilTail, check: CheckField(checksum("crc16-modbus")), tail: [3])),
    packet(PacketFormat(start: [1], extent: .lengthField(LengthField(at: 1, counts: .frame)))),
    packet(PacketFormat(start: [1, 2], extent: .lengthField(LengthField(at: 0, counts: .rest)))),
    packet(PacketFormat(extent: .lengthField(LengthField(at: 0, counts: .frame)))),
    packet(
      PacketFormat(
        start: [1], extent: .lengthField(LengthField(at: 2, width: 2, counts: .rest, adjust: -3)),
        check: CheckField(checksum("xor8"), from: 4))),
    packet(
      PacketFormat(
        start: [1], extent: .lengthField(LengthField(at: 1, counts: .payload)),
        check: CheckField(checksum("xor8"), from: 1), tail: [3])),
    packet(PacketFormat(start: [2, 1], startMask: [2, 3], extent: .fixed(4))),
    packet(
      PacketFormat(
        start: [1], startMask: [1], extent: .lengthField(LengthField(at: 1, counts: .rest)), condition: parity
      )),
    alternatives(
      PacketFormat(start: [0], startMask: [2], extent: .fixed(3), condition: parity),
      PacketFormat(start: [2], startMask: [2], extent: .untilTail, tail: [0])),
    alternatives(
      PacketFormat(start: [1], extent: .fixed(5)), PacketFormat(start: [2, 1], extent: .fixed(2))),
    alternatives(
      PacketFormat(start: [1, 2], extent: .lengthField(LengthField(at: 2, counts: .frame))),
      PacketFormat(start: [1], extent: .untilTail, check: CheckField(checksum("xor8")), tail: [3]),
      PacketFormat(start: [1, 2], extent: .fixed(3), check: CheckField(checksum("sum8")))),
    alternatives(
      PacketFormat(extent: .fixed(4), check: CheckField(checksum("xor8"))),
      PacketFormat(extent: .untilTail, tail: [4])),
  ]

  /// A condition that half of all frames meet, and that has no value for a few.
  static let parity = FrameCondition(source: "xor8(frame) % 2 == 0") { frame throws(ChecksumFailure) in
    if frame[frame.count - 1] == 4 { throw ChecksumFailure("no value") }
    var sum: UInt8 = 0
    for index in frame.indices { sum ^= frame[index] }
    return sum % 2 == 0
  }

  static func alternatives(_ formats: PacketFormat...) -> FramingRule {
    FramingRule(.alternatives(formats), gap: .milliseconds(6), maxLength: 12)
  }

  static func packet(_ format: PacketFormat) -> FramingRule {
    FramingRule(.packet(format), gap: .milliseconds(6), maxLength: 12)
  }

  @Test(arguments: rules)
  func `every byte comes out once and in order, and frames keep the rule`(rule: FramingRule) {
    var random = SplitMix64(seed: 1)
    for _ in 0..<300 {
      let writes = random.writes()
      var framer = Framer(rule)
      var outputs: [FramerOutput] = []
      var now = Instant()
      for write in writes {
        now = now.advanced(by: .milliseconds(random.next() % 8))
        outputs += framer.append(write, at: now)
      }
      outputs += framer.finish()
      #expect(outputs.flatMap(\.bytes) == writes.flatMap(\.self))
      #expect(outputs.allSatisfy { !$0.isFrame || $0.bytes.count <= rule.maxLength })
    }
  }

  @Test(arguments: rules.filter { $0.shape != .raw })
  func `the tearing of a stream does not matter`(rule: FramingRule) {
    var random = SplitMix64(seed: 2)
    for _ in 0..<300 {
      let writes = random.writes()
      var torn = Framer(rule)
      var whole = Framer(rule)
      let tornOutputs = writes.flatMap { torn.append($0, at: Instant()) } + torn.finish()
      let wholeOutputs = whole.append(writes.flatMap(\.self), at: Instant()) + whole.finish()
      #expect(tornOutputs.coalesced == wholeOutputs.coalesced)
    }
  }

  /// Each `A5` claims a packet of 165 bytes whose checksum fails.
  @Test func `false starts cost no more than the longest frame each`() {
    var framer = Framer(FramingRule(.packet(FramerTests.bracelet)))
    let stream = [UInt8](repeating: 0xA5, count: 100_000)
    let outputs = framer.append(stream, at: Instant()) + framer.finish()
    #expect(outputs.flatMap(\.bytes) == stream)
  }
}

extension SplitMix64 {
  /// A few writes of bytes so small that starts, lengths and tails occur often.
  mutating func writes() -> [[UInt8]] {
    (0..<next() % 8).map { _ in
      (0..<next() % 9).map { _ in UInt8(next() % 5) }
    }
  }
}
