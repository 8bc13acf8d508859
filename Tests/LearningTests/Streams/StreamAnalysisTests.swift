import Framing
import Learning
import TestSupport
import Testing

/// Streams made up for one property each.
struct StreamAnalysisTests {
  private static func stream(
    _ values: [[UInt8]], _ direction: ValueStream.Direction = .fromDevice, every milliseconds: Int64 = 1000
  ) -> ValueStream {
    var stream = ValueStream(3, id: "FFE1", uuid: 0xFFE1, direction)
    stream.values = values.enumerated().map { index, bytes in
      .init(
        bytes, at: .milliseconds(1_700_000_000_000 + Int64(index) * milliseconds), conversation: 0,
        exchange: index)
    }
    return stream
  }

  /// Bytes without a pattern, the same in each run (SplitMix64).
  private static func noise(_ count: Int, seed: UInt32) -> [UInt8] {
    (0..<count).map { index in
      var state = (UInt64(seed) << 32 | UInt64(index)) &* 0x9E37_79B9_7F4A_7C15
      state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
      return UInt8(truncatingIfNeeded: state >> 40)
    }
  }

  @Test(arguments: Checksum.names)
  func `finds a checksum`(name: String) throws {
    let checksum = try #require(Checksum.named(name))
    let frames = (0..<12).map { index in
      let body: [UInt8] = [0xA5, 0x07] + Self.noise(9, seed: UInt32(index + 1))
      return body + (try! checksum.compute(body[1...]))
    }
    let analysis = StreamAnalysis(Self.stream(frames))
    #expect(analysis.framing == nil)
    #expect(analysis.messages.map { $0.parts.last } == [.checksum(checksum, from: 1)])
    #expect(
      analysis.evidence.first
        == Evidence("\(checksum) over bytes 1 to 10", at: "FFE1 ->", agreeing: 12, of: 12))
  }

  @Test func `finds no checksum and no framing in noise`() {
    for seed in 0..<20 {
      let sizes = Self.noise(60, seed: UInt32(seed + 1000))
      let values = (0..<60).map { Self.noise(4 + Int(sizes[$0] % 30), seed: UInt32(seed * 100 + $0 + 7)) }
      let analysis = StreamAnalysis(Self.stream(values))
      #expect(analysis.framing == nil)
      #expect(!analysis.messages.flatMap(\.parts).contains { if case .checksum = $0 { true } else { false } })
      #expect(analysis.frames.map(\.bytes) == values)
    }
  }

  @Test func `a frame that repeats proves no checksum`() {
    let frame: [UInt8] = [0x01, 0x02, 0x03, 0x06]
    #expect(
      StreamAnalysis(Self.stream([frame, frame, frame, frame])).messages.map(\.parts) == [[.constant(frame)]])
  }

  @Test func `cuts several frames out of one value by their length`() {
    let xor = Checksum.named("xor8")!
    let frames = (0..<24).map { index in
      let content = Self.noise(3 + index % 5, seed: UInt32(index + 50))
      let body = [0xA5, UInt8(content.count)] + content
      return body + (try! xor.compute(body[...]))
    }
    let values = stride(from: 0, to: 24, by: 3).map { Array(frames[$0..<($0 + 3)].joined()) }
    let analysis = StreamAnalysis(Self.stream(values))
    #expect(analysis.frames.map(\.bytes) == frames)
    #expect(
      analysis.framing
        == FramingRule(
          .packet(
            PacketFormat(
              start: [0xA5], extent: .lengthField(LengthField(at: 1, counts: .payload)),
              check: CheckField(xor)))))
    #expect(analysis.unframed.isEmpty)
  }

  @Test func `joins lines of text that are split anywhere, and leaves lines that are values`() {
    let text = Array("OK\r\n+NAME=Lamp\r\nOK\r\nERROR\r\nOK\r\n".utf8)
    let pieces = stride(from: 0, to: text.count, by: 5).map { Array(text[$0..<min($0 + 5, text.count)]) }
    let split = StreamAnalysis(Self.stream(pieces))
    #expect(split.framing == FramingRule(.delimited(Delimiter([0x0D, 0x0A]))))
    #expect(
      split.frames.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "OK", "+NAME=Lamp", "OK", "ERROR", "OK",
      ])
    let whole = StreamAnalysis(Self.stream(["AT\r\n", "AT+V\r\n", "AT+N\r\n"].map { Array($0.utf8) }))
    #expect(whole.framing == nil)
  }

  @Test func `names the fields of a message`() {
    let start = UInt64(1_700_000_000)
    let values = (0..<20).map { index -> [UInt8] in
      let seconds = start + UInt64(index)
      return [0x10, UInt8((250 + index) & 0xFF), 0xAA] + ByteOrder.littleEndian.bytes(of: seconds, width: 4)
        + [[0x01, 0x05, 0x40][index * 7 % 3]] + Self.noise(3, seed: UInt32(index))
    }
    let parts = StreamAnalysis(Self.stream(values)).messages.map(\.parts)
    #expect(
      parts == [
        [
          .constant([0x10]), .field(LearntField("count-1", width: 1, .counter(.bigEndian, step: 1))),
          .constant([0xAA]), .field(LearntField("time-3", width: 4, .unixTime(.littleEndian))),
          .field(LearntField("byte-7", width: 1, .enumeration([[0x01], [0x05], [0x40]]))),
          .field(LearntField("bytes-8", width: 3, .bytes)),
        ]
      ])
  }

  @Test func `tells messages apart by their first byte`() {
    let values: [[UInt8]] = (0..<12).flatMap { index -> [[UInt8]] in
      [[0x01, UInt8(index * 37 & 0xFF)], [0x02, 0x00, 0x07], [0x05, UInt8(index * 91 & 0xFF), 0x01, 0x09]]
    }
    let messages = StreamAnalysis(Self.stream(values, .fromCentral)).messages
    #expect(messages.map(\.name) == ["request-01", "request-02", "request-05"])
    #expect(messages.map(\.frames.count) == [12, 12, 12])
    #expect(
      messages.map { $0.parts.first } == [
        .constant([0x01]), .constant([0x02, 0x00, 0x07]), .constant([0x05]),
      ])
  }
}
