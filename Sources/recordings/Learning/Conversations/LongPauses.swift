import Captures
import Framing

/// The pauses of links that are too long to play: each counts as a minute.
struct LongPauses {
  private var count = 0
  private var longest = Duration.zero

  private static let limit = Duration.seconds(60)

  /// A sentence; nil: there were none.
  var remark: String? {
    count == 0
      ? nil
      : "Nothing was said for more than a minute \(count == 1 ? "once" : "\(count) times") on the links, for \(longest.rough) at "
        + "most: the device is learnt as if it were one minute."
  }

  /// Shortens the pauses of a link. Its start is as recorded.
  mutating func cut(from connection: CapturedConnection) -> CapturedConnection {
    var connection = connection
    var (last, shift) = (connection.start ?? connection.events.first?.time ?? Instant(), Duration.zero)
    for index in connection.events.indices {
      connection.events[index].time = time(connection.events[index].time, after: &last, &shift)
    }
    if let end = connection.end { connection.end?.time = time(end.time, after: &last, &shift) }
    return connection
  }

  private mutating func time(_ time: Instant, after last: inout Instant, _ shift: inout Duration) -> Instant {
    let pause = last.duration(to: time)
    if pause > Self.limit {
      count += 1
      longest = max(longest, pause)
      shift += pause - Self.limit
    }
    last = max(last, time)
    return time.advanced(by: .zero - shift)
  }
}
