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
    var differences: [Int64] = []
    for advertisement in advertisements {
      let earlier = last.updateValue(advertisement.time, forKey: advertisement.channel)
      guard let earlier else { continue }
      let difference = advertisement.time.microseconds &- earlier.microseconds
      // Shorter ones are those of another channel, or a packet that was heard twice.
      if difference >= 15_000 { differences.append(difference) }
    }
    guard differences.count >= 8 else { return nil }
    differences.sort()
    // Where packets were missed, a difference is that of several intervals.
    let shortest = differences[differences.count / 10]
    guard shortest < 10_300_000 else { return nil }
    let single = differences.filter { $0 - shortest <= 12_000 }
    count = single.count
    let mean = single.reduce(0, &+) / Int64(count)
    milliseconds = max(20, (mean - 5000 + 500) / 1000)
    guard milliseconds <= 10_240 else { return nil }
  }
}
