import Framing
import TestSupport
import Testing

@testable import Learning

/// Streams with an encoding, and streams that only look so.
struct EncodingTests {
  private static func stream(_ values: [[UInt8]], _ direction: ValueStream.Direction = .fromDevice)
    -> ValueStream
  {
    var stream = ValueStream(3, id: "FFE1", uuid: 0xFFE1, direction)
    stream.values = values.enumerated().map { index, bytes in
      .init(bytes, at: .milliseconds(Int64(index) * 1000), conversation: 0, exchange: index)
    }
    return stream
  }

  /// `A5 n 00 sum` with the key 5A: FF, n ^ 5A, 5A, the sum ^ 5A.
  private static let keyed: [[UInt8]] = [
    [0xFF, 0x5B, 0x5A, 0xFC],  // A5 01 00 A6
    [0xFF, 0x58, 0x5A, 0xFD],  // A5 02 00 A7
    [0xFF, 0x4A, 0x5A, 0xEF],  // A5 10 00 B5
    [0xFF, 0x25, 0x5A, 0x7E],  // A5 7F 00 24
    [0xFF, 0xDA, 0x5A, 0x7F],  // A5 80 00 25
  ]

  @Test func `a sum that fits only without a key proves the key`() {
    let analysis = StreamAnalysis(Self.stream(Self.keyed))
    #expect(analysis.encoding == .xor([0x5A]))
    #expect(analysis.frames.first?.bytes == [0xA5, 0x01, 0x00, 0xA6])
    #expect(
      analysis.evidence.contains(
        Evidence("XOR 5A: with it, sum8 fits", at: "FFE1 ->", agreeing: 5, of: 5)))
  }

  /// Two requests are too few to find a key, and enough to see that they have that of the answers.
  @Test func `the other direction has the same key`() {
    let requests = Self.stream([Self.keyed[1], Self.keyed[3]], .fromCentral)
    #expect(StreamAnalysis(requests).encoding == nil)
    let both = [StreamAnalysis](of: [requests, Self.stream(Self.keyed)])
    #expect(both.map(\.encoding) == [.xor([0x5A]), .xor([0x5A])])
    #expect(both[0].frames.map(\.bytes) == [[0xA5, 0x02, 0x00, 0xA7], [0xA5, 0x7F, 0x00, 0x24]])
    let plain = Self.stream([[0x01, 0x02, 0x03], [0x01, 0x05, 0x09]], .fromCentral)
    #expect([StreamAnalysis](of: [plain, Self.stream(Self.keyed)])[0].encoding == nil)
  }

  /// `7E n sum 7E`: 7D is before 5E and 5D where 7E and 7D are meant.
  @Test func `a sum that fits only without escapes proves the escapes`() {
    let values: [[UInt8]] = [
      [0x7E, 0x01, 0x02, 0x03, 0x7E], [0x7E, 0x10, 0x7D, 0x5E, 0x8E, 0x7E],
      [0x7E, 0x7D, 0x5D, 0x01, 0x7D, 0x5E, 0x7E], [0x7E, 0x20, 0x30, 0x50, 0x7E],
      [0x7E, 0x7D, 0x5D, 0x7D, 0x5D, 0xFA, 0x7E], [0x7E, 0x44, 0x11, 0x55, 0x7E],
    ]
    let analysis = StreamAnalysis(Self.stream(values))
    #expect(analysis.encoding == .stuffed(special: [0x7E], isOpened: true))
    #expect(
      analysis.frames.map(\.bytes) == [
        [0x01, 0x02, 0x03], [0x10, 0x7E, 0x8E], [0x7D, 0x01, 0x7E], [0x20, 0x30, 0x50], [0x7D, 0x7D, 0xFA],
        [0x44, 0x11, 0x55],
      ])
    #expect(analysis.unframed.isEmpty)
  }

  /// `C0` ends frames that several values share or that are in one value, and nothing begins them.
  @Test func `SLIP frames do not end where values end`() {
    // 01 C0 C1, DB 02 DD, 05 06 0B, C0 C0 80, 11 12 23
    let bytes: [UInt8] = [
      0x01, 0xDB, 0xDC, 0xC1, 0xC0, 0xDB, 0xDD, 0x02, 0xDD, 0xC0, 0x05, 0x06, 0x0B, 0xC0, 0xDB, 0xDC, 0xDB,
      0xDC,
      0x80, 0xC0, 0x11, 0x12, 0x23, 0xC0,
    ]
    let values = stride(from: 0, to: bytes.count, by: 8).map { Array(bytes[$0..<min($0 + 8, bytes.count)]) }
    let analysis = StreamAnalysis(Self.stream(values))
    #expect(analysis.encoding == .slip(isOpened: false))
    #expect(
      analysis.frames.map(\.bytes) == [
        [0x01, 0xC0, 0xC1], [0xDB, 0x02, 0xDD], [0x05, 0x06, 0x0B], [0xC0, 0xC0, 0x80], [0x11, 0x12, 0x23],
      ])
    #expect(analysis.frames.map(\.values) == [0..<1, 0..<2, 1..<2, 1..<3, 2..<3])
  }

  /// Bytes without a pattern, the same in each run (SplitMix64).
  private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    (0..<count).map { index in
      var state = (seed << 32 | UInt64(index)) &* 0x9E37_79B9_7F4A_7C15
      state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
      return UInt8(truncatingIfNeeded: state >> 40)
    }
  }

  /// Packets `A5 length data crc` with a key of one byte, in values of 20 bytes.
  @Test func `packets in several values have a key`() throws {
    let crc = try #require(Checksum.named("crc16-modbus"))
    let frames = (0..<12).map { index in
      let data = Self.noise(6, seed: UInt64(index + 1)) + [UInt8](repeating: 0, count: 14 + 3 * index)
      let body = [0xA5, UInt8(data.count)] + data
      return body + (try! crc.compute(body[...]))
    }
    let values = frames.flatMap { frame in
      stride(from: 0, to: frame.count, by: 20).map { place in
        frame[place..<min(place + 20, frame.count)].map { $0 ^ 0x3C }
      }
    }
    let analysis = StreamAnalysis(Self.stream(values))
    #expect(analysis.encoding == .xor([0x3C]))
    #expect(analysis.frames.map(\.bytes) == frames)
  }

  @Test func `nothing is decoded without a checksum that proves it`() {
    for seed in 1...UInt64(Sample.rounds(of: 19)) {
      let noise = (0..<60).map { Self.noise(4 + Int($0) % 17, seed: seed * 100 + $0) }
      let zeros = noise.map { $0 + [UInt8](repeating: 0, count: 9) }
      for values in [
        noise, zeros.map { $0.map { $0 ^ 0x5A } },
        noise.map { [0xC0, 0xDB, 0xDC] + $0.filter { $0 != 0xC0 && $0 != 0xDB } + [0xC0] },
      ] {
        let analysis = StreamAnalysis(Self.stream(values))
        #expect(analysis.encoding == nil)
        #expect(analysis.frames.map(\.bytes) == values)
      }
    }
  }
}
