import Captures
import Framing
import TestSupport

@testable import Learning

/// The streams of a recorded battery, cut by hand: commands and short answers of 20 bytes from AA on, answers of 300 from 55
/// on; byte 4 is the kind, byte 5 of answers a counter, and the last byte the sum of all others.
struct HandCut {
  var conversations: [Conversation]
  var table: ObservedTable
  var streams: [StreamAnalysis]

  init(_ name: String) throws {
    let capture = try Capture(path: Repository.path + "Tests/CapturesTests/Captures/\(name)")
    let connections = capture.devices.map(\.connections).max { $0.eventCount < $1.eventCount } ?? []
    conversations = connections.map { Conversation(connection: $0) }
    table = ObservedTable(connections: connections)
    streams = [ValueStream](conversations, table).map(Self.analysis)
  }

  private static func analysis(_ stream: ValueStream) -> StreamAnalysis {
    var analysis = StreamAnalysis(unexamined: stream)
    var (rest, first) = ([UInt8](), 0)
    for (index, item) in stream.values.enumerated() {
      if rest.isEmpty || stream.values[index - 1].conversation != item.conversation {
        (rest, first) = ([], index)
      }
      rest += item.bytes
      while let start = rest.first, rest.count >= (start == 0xAA ? 20 : 300) {
        let frame = Array(rest.prefix(start == 0xAA ? 20 : 300))
        analysis.frames.append(
          .init(frame, at: item.time, conversation: item.conversation, values: first..<index + 1))
        rest.removeFirst(frame.count)
        first = index
      }
    }
    let kinds = Dictionary(grouping: analysis.frames.indices) { analysis.frames[$0].bytes[4] }
    let word = stream.direction == .fromCentral ? "request" : "answer"
    analysis.messages = kinds.sorted { $0.key < $1.key }.map { kind, frames in
      LearntMessage(
        "\(word)-\(String(kind, radix: 16))", parts(frames.map { analysis.frames[$0].bytes }), frames: frames)
    }
    return analysis
  }

  /// The same bytes in all frames, and fields of those that differ.
  private static func parts(_ frames: [[UInt8]]) -> [LearntMessage.Part] {
    let end = frames[0].count - 1
    let differs = (0..<end).map { index in Set(frames.map { $0[index] }).count > 1 }
    var parts: [LearntMessage.Part] = []
    var index = 0
    while index < end {
      let next = index == 5 ? 6 : (index + 1..<end).first { differs[$0] != differs[index] || $0 == 5 } ?? end
      let isCounter = index == 5 && frames.count > 4
      let name = isCounter ? "count-5" : "bytes-\(index)"
      let field = LearntField(
        name, width: next - index, isCounter ? .counter(.littleEndian, step: 1) : .bytes)
      parts.append(differs[index] ? .field(field) : .constant(Array(frames[0][index..<next])))
      index = next
    }
    return parts + [.checksum(Checksum.named("sum8")!, from: 0)]
  }
}

extension [CapturedConnection] {
  fileprivate var eventCount: Int { reduce(0) { $0 + $1.events.count } }
}
