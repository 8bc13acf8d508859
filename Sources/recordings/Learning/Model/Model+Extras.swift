import Framing

extension StreamAnalysis {
  /// Takes whole values between frames for messages of their own, if they come again and again, as `AT\r\n` of a module, or begin
  /// like requests.
  ///
  /// - Parameter requests: all that the centrals wrote.
  mutating func addValuesBetweenFrames(_ requests: Set<[UInt8]>) {
    guard stream.direction == .fromDevice, encoding == nil, !unframed.isEmpty else { return }
    let framed = frames.reduce(into: Set<Int>()) { $0.formUnion($1.values) }
    let whole = Dictionary(grouping: unframed.filter { !framed.contains($0) }) { stream.values[$0].bytes }
    var names = ModelNames(taken: Set(messages.map(\.name)))
    let starts = Set(requests.map { $0.prefix(Self.opening) })
    let known = whole.filter {
      $0.value.count >= Self.fewest
        || $0.key.count > Self.opening && starts.contains($0.key.prefix(Self.opening))
    }
    for (bytes, values) in known.sorted(by: { $0.value[0] < $1.value[0] }) {
      let name = "value-\(HexText.format(Array(bytes.prefix(2))).split(separator: " ").joined())"
      messages.append(
        LearntMessage(
          names.unique(name), [.constant(bytes)], frames: Array(frames.count..<(frames.count + values.count)))
      )
      frames += values.map {
        Frame(
          bytes, at: stream.values[$0].time, conversation: stream.values[$0].conversation,
          values: $0..<($0 + 1))
      }
      unframed.removeAll { values.contains($0) }
    }
  }

  private static let fewest = 3
  /// Bytes that two messages do not have in common by chance.
  private static let opening = 3
}
