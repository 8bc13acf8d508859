import Captures
import Framing

/// How often a device advertised.
struct MeasuredInterval: Hashable {
  var milliseconds: Int64
  /// How many differences of times it is the mean of.
  var count: Int

  /// The mean of the differences on each channel, less the 5 ms that the random delay adds on average (Core Specification,
  /// Vol 6 Part B 4.4.2.2.1). A host does not learn the channel, and its controller may leave reports out: then it is the
  /// longest interval that is possible. nil: too few packets.
  init?(_ advertisements: [CapturedAdvertisement]) {
    var last: [UInt8?: Instant] = [:]
    var all: [Int64] = []
    for advertisement in advertisements {
      let earlier = last.updateValue(advertisement.time, forKey: advertisement.channel)
      if let earlier { all.append(advertisement.time.microseconds &- earlier.microseconds) }
    }
    // Shorter ones are those of another channel, or a packet that was heard twice.
    let long = all.filter { $0 >= 15_000 }.sorted()
    guard long.count >= 8, long[long.count / 2] < 10_300_000 else { return nil }
    // Where packets were missed, a difference is that of several intervals.
    var single = Array(Self.mostAlike(long))
    if single.count < long.count / 3 {
      // A busy host has reported packets late: one difference is longer, and the next ones are shorter.
      single = all.filter { 0 <= $0 && $0 <= 5 * long[long.count / 2] }
    }
    count = single.count
    let mean = single.reduce(0, &+) / Int64(count)
    milliseconds = max(20, (mean - 5000 + 500) / 1000)
    guard milliseconds <= 10_240 else { return nil }
  }

  /// The most differences that one interval with its random delay can be.
  private static func mostAlike(_ sorted: [Int64]) -> ArraySlice<Int64> {
    var (found, start) = (sorted[..<0], 0)
    for end in sorted.indices {
      while sorted[end] - sorted[start] > 12_000 { start += 1 }
      if end - start >= found.count { found = sorted[start...end] }
    }
    return found
  }
}
