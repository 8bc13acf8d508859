import Framing
import Learning
import TestSupport
import Testing

/// Streams whose values are pieces of frames.
struct BurstsTests {
  /// - Parameters:
  ///   - gap: milliseconds between pieces.
  ///   - pause: milliseconds between frames.
  ///   - isAnswering: whether there is other traffic between frames.
  private static func stream(
    _ frames: [[UInt8]], pieces: Int, gap: Int64 = 3, pause: Int64 = 300, isAnswering: Bool = false
  ) -> ValueStream {
    var stream = ValueStream(3, id: "FFE1", uuid: 0xFFE1, .fromDevice)
    var (time, exchange) = (Int64(1_700_000_000_000), 0)
    for frame in frames {
      for piece in Chunker(frame, size: pieces) {
        stream.values.append(
          .init(Array(piece), at: .milliseconds(time), conversation: 0, exchange: exchange))
        (time, exchange) = (time + gap, exchange + 1)
      }
      (time, exchange) = (time + pause, exchange + (isAnswering ? 1 : 0))
    }
    return stream
  }

  private static func frame(_ index: Int, _ body: [UInt8]) -> [UInt8] {
    let content = [0x09, UInt8(index)] + body
    return [0x8D] + content + [~content.reduce(0, &+), 0xD8]
  }

  @Test(arguments: [(1, 3, 300), (1, 0, 40), (3, 15, 200), (2, 30, 100)])
  func `joins pieces before it looks for frames`(size: Int, gap: Int64, pause: Int64) throws {
    let frames = (0..<12).map { Self.frame($0, [0x13, [13, 4, 3][$0 % 3], 0]) }
    let analysis = StreamAnalysis(Self.stream(frames, pieces: size, gap: gap, pause: pause))
    #expect(analysis.frames.map(\.bytes) == frames)
    guard case .packet(let format)? = analysis.framing?.shape else {
      Issue.record("no packets")
      return
    }
    let sum = try #require(Checksum.named("inverted-sum8"))
    #expect(format.check == CheckField(sum, from: 1))
    #expect(format.extent == .fixed(8))
    #expect(format.tail == [0xD8])
  }

  @Test func `other traffic separates frames where time does not`() {
    let frames = (0..<12).map { Self.frame($0, Array(repeating: 0x31, count: 2 + $0 % 4)) }
    let analysis = StreamAnalysis(Self.stream(frames, pieces: 1, gap: 30, pause: 0, isAnswering: true))
    #expect(analysis.frames.map(\.bytes) == frames)
  }

  @Test func `values that show no frames stay values`() {
    let values = (0..<40).map { [UInt8(truncatingIfNeeded: $0 * 91 + $0 * $0 * 37)] }
    let analysis = StreamAnalysis(Self.stream(values, pieces: 1, pause: 50))
    #expect(analysis.framing == nil)
    #expect(analysis.frames.map(\.bytes) == values)
    let pairs = StreamAnalysis(Self.stream((0..<40).map { values[$0] + values[39 - $0] }, pieces: 1))
    #expect(pairs.framing == nil)
  }
}
