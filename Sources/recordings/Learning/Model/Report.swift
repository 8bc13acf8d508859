import Framing

/// A message that the device sends again and again without being asked each time.
struct Report: Hashable, Sendable {
  var message: MessageID
  /// What starts it; nil: the recording does not show it.
  var start: Cause?
  /// From the start to the first one.
  var after: Duration
  var every: Duration
  var sent: [SentFrame]
  /// How many intervals are about a period long.
  var agreeing: Int
  var cases: Int
}

extension Timeline {
  /// The messages that are no reaction and come periodically.
  func reports(except answered: Set<MessageID>) -> [Report] {
    let messages = windows.flatMap { $0.sent.map(\.message) }.distinct.filter { !answered.contains($0) }
    return messages.compactMap(report)
  }

  /// A report comes at least as often.
  private static let fewest = 5

  private func report(of message: MessageID) -> Report? {
    let sent = occurrences(of: message)
    guard sent.count >= Self.fewest, let period = period(of: sent) else { return nil }
    let times = sent.map(\.sent.start)
    let start = start(of: message)
    let all = zip(zip(sent, sent.dropFirst()), zip(times, times.dropFirst()))
      .filter { $0.0.0.conversation == $0.0.1.conversation }.map { $0.1.0.duration(to: $0.1.1) }
    return Report(
      message: message, start: start.cause, after: start.delay ?? period, every: period,
      sent: sent.map(\.sent), agreeing: all.count { Self.isAbout($0, period) },
      cases: all.count)
  }

  private func occurrences(of message: MessageID) -> [(conversation: Int, sent: SentFrame)] {
    windows.flatMap { window in
      window.sent.filter { $0.message == message }.map { (window.conversation, $0) }
    }
  }

  /// The usual time between two of them; nil: there is none.
  private func period(of sent: [(conversation: Int, sent: SentFrame)]) -> Duration? {
    let intervals = zip(sent, sent.dropFirst()).filter { $0.conversation == $1.conversation }
      .map { $0.sent.start.duration(to: $1.sent.start) }
    guard let period = intervals.median, period >= .milliseconds(10), intervals.count >= Self.fewest - 1,
      intervals.count(where: { Self.isAbout($0, period) }) * 10 >= intervals.count * 7
    else { return nil }
    return period
  }

  /// Within 35 %: a link delays values up to its next connection event.
  private static func isAbout(_ time: Duration, _ period: Duration) -> Bool {
    time * 100 >= period * 65 && time * 100 <= period * 135
  }

  private typealias Start = (cause: Cause?, delay: Duration?)

  /// The cause that comes last before the first message of every conversation that has any. A subscription to a characteristic
  /// that sends nothing is none, if one to its own comes shortly before.
  private func start(of message: MessageID) -> Start {
    var delays: [Cause: [Duration]] = [:]
    var conversations = 0
    for conversation in windows.map(\.conversation).distinct {
      let windows = windows.filter { $0.conversation == conversation }
      guard let index = windows.firstIndex(where: { $0.sent.contains { $0.message == message } }),
        let first = windows[index].sent.first(where: { $0.message == message })
      else { continue }
      conversations += 1
      var last: [Cause: Instant] = [:]
      for window in windows[...index] { if let cause = window.cause { last[cause] = window.time } }
      for (cause, time) in last { delays[cause, default: []].append(time.duration(to: first.start)) }
    }
    // In the order of the recording, so that the first of several equal ones is the same in each run.
    let common = windows.compactMap(\.cause).distinct.compactMap { cause -> (Cause, Duration)? in
      guard cause != .connection, let all = delays[cause], all.count == conversations else { return nil }
      return all.median.map { (cause, $0) }
    }
    let connection = delays[.connection].flatMap { $0.count == conversations ? $0.median : nil }
    guard let nearest = common.min(by: { $0.1 < $1.1 }) else {
      return connection.map { (.connection, $0) } ?? (nil, nil)
    }
    if case .subscription(let handle) = nearest.0, !handles.contains(handle),
      let own = common.first(where: { $0.0 == .subscription(handles[message.stream]) }),
      own.1 - nearest.1 < .seconds(2)
    {
      return own
    }
    return nearest
  }
}
