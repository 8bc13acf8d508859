import Bluetooth

/// Values that come again and again, by themselves.
struct SteadyValues {
  private struct Shape: Hashable {
    var handle: AttributeHandle
    var size: Int
  }

  private let shapes: [Shape]
  private let times: [Int64]

  /// The longest period, in values.
  private static let longestPeriod = 64
  /// The least number of periods, and the least time that they take, milliseconds.
  private static let (fewest, shortest) = (3, Int64(1500))
  /// As many values without a period are steady, too.
  private static let many = 20

  init(_ cues: [RecordedScript.Cue]) {
    shapes = cues.map { Shape(handle: $0.handle, size: $0.value.recorded.count) }
    times = cues.map(\.time)
  }

  /// The value with which they go on after the last one, if they still came; nil: they did not.
  ///
  /// - Parameter end: when something else came, milliseconds.
  func start(upTo end: Int64) -> Int? {
    guard let last = times.last, let first = steady else { return nil }
    // It goes on where a pause is over: there is the start of a frame.
    let pauses = (first..<times.count).map { times[$0] - times[$0 - 1] }
    guard let longest = pauses.max(), last - times[first] >= Self.shortest else { return nil }
    let starts = zip(first..., pauses).filter { $1 * 2 >= longest && $1 > end - last }
    return starts.first { last - times[$0.0] >= Self.shortest }?.0
  }

  /// The first of the values at the end that come with one period, or always as often.
  private var steady: Int? {
    let count = shapes.count
    for period in 1...Self.longestPeriod where count > period * Self.fewest {
      guard (count - period * (Self.fewest - 1)..<count).allSatisfy({ shapes[$0] == shapes[$0 - period] })
      else { continue }
      var first = count - period * Self.fewest
      while first > 1, shapes[first - 1] == shapes[first - 1 + period] { first -= 1 }
      if let last = times.last, last - times[max(1, first)] >= Self.shortest { return max(1, first) }
    }
    guard count >= Self.many else { return nil }
    let parts = [count / 3, count * 2 / 3, count - 1].map { times[$0] }
    let (before, after) = (parts[1] - parts[0], parts[2] - parts[1])
    return before > 0 && before <= 2 * after && after <= 2 * before ? count / 3 : nil
  }
}
