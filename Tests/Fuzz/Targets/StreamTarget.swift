import Framing
import Learning

extension FuzzTarget {
  /// Any bytes as the values of a characteristic: nothing that is learnt of them contradicts them.
  static let stream = FuzzTarget(
    name: "stream",
    run: { bytes in
      let stream = valueStream(FuzzInput(bytes))
      let analysis = StreamAnalysis(stream)
      let framed = analysis.messages.flatMap(\.frames).sorted()
      try guarantee(framed == Array(analysis.frames.indices), "each frame is in one message: \(framed)")
      for message in analysis.messages {
        let sizes = message.frames.map { analysis.frames[$0].bytes.count }
        try guarantee(
          sizes.allSatisfy { message.mayHave(size: $0) }, "\(message.name) has other sizes: \(sizes)")
      }
      try guarantee(StreamAnalysis(stream) == analysis, "the same values give another analysis")
    },
    describe: { bytes in "\(StreamAnalysis(valueStream(FuzzInput(bytes))))" })

  /// Each value: its conversation and time, its length, and bytes.
  private static func valueStream(_ input: FuzzInput) -> ValueStream {
    var (input, time, conversation) = (input, Int64(0), 0)
    var stream = ValueStream(3, id: "FFE1", uuid: 0xFFE1, .fromDevice)
    while !input.isEmpty, stream.values.count < 1000 {
      let waited = input.number(below: 256)
      if waited == 255 { conversation += 1 }
      time &+= waited == 254 ? Int64.max / 8 : Int64(waited) * 10_000
      let bytes = input.bytes(input.number(below: 64))
      stream.values.append(
        .init(
          bytes, at: Instant(microseconds: time), conversation: conversation, exchange: stream.values.count))
    }
    return stream
  }
}

extension LearntMessage {
  /// Whether the parts together may have this size, bytes.
  fileprivate func mayHave(size: Int) -> Bool {
    var (least, isFixed) = (0, true)
    for part in parts {
      switch part {
      case .constant(let bytes): least += bytes.count
      case .size(let width, _, _): least += width
      case .checksum(let checksum, _): least += checksum.width
      case .field(let field):
        least += field.width ?? 0
        isFixed = isFixed && field.width != nil
      }
    }
    return isFixed ? size == least : size >= least
  }
}
