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
  /// Requests that may ask for it: it follows them, with the least delay, and nothing else answers them.
  var questions: [Cause: Duration] = [:]
  /// What follows each time, before the next one.
  var then: [Reaction.Step] = []
  /// How many intervals are about a period long.
  var agreeing: Int
  var cases: Int
}

extension Report {
  /// Its own message and those that follow.
  var messages: [MessageID] { [message] + then.map(\.message) }

  /// Puts the steps in the order of time, with delays after the step before.
  fileprivate mutating func orderSteps() {
    then.sort { $0.delay < $1.delay }
    for index in then.indices.dropFirst().reversed() { then[index].delay -= then[index - 1].delay }
  }
}

extension Timeline {
  /// The requests after half of which, or more, a report comes within a period.
  func questions(for report: Report) -> [Cause: Duration] {
    Dictionary(grouping: windows) { $0.cause }.reduce(into: [:]) { questions, group in
      guard case .request? = group.key, let cause = group.key else { return }
      let delays = group.value.compactMap { window in
        window.sent.first { $0.message == report.message }.map { window.time.duration(to: $0.start) }
      }.filter { $0 <= report.every }
      if delays.count * 2 >= group.value.count { questions[cause] = delays.min() }
    }
  }

  /// The messages that are no reaction and come periodically.
  func reports(except answered: Set<MessageID>) -> [Report] {
    let messages = windows.flatMap { $0.sent.map(\.message) }.distinct.filter { !answered.contains($0) }
    var reports: [Report] = []
    for message in messages {
      if let place = reports.indices.first(where: { steps(of: message, after: reports[$0]) != nil }) {
        reports[place].then += steps(of: message, after: reports[place]) ?? []
      } else if let report = report(of: message) {
        reports.append(report)
      }
    }
    // What comes before the message that it follows was not looked at yet.
    for message in messages where !reports.contains(where: { $0.messages.contains(message) }) {
      guard let place = reports.indices.first(where: { steps(of: message, after: reports[$0]) != nil }) else {
        continue
      }
      reports[place].then += steps(of: message, after: reports[place]) ?? []
    }
    for index in reports.indices { reports[index].orderSteps() }
    return reports
  }

  /// The most messages of a kind that follow a report each time.
  private static let mostSteps = 4

  /// A message that comes between two reports of another, as often each time; nil: it does not. The delays are from the report on.
  private func steps(of message: MessageID, after report: Report) -> [Reaction.Step]? {
    let own = occurrences(of: message)
    guard own.count >= Self.fewest - 1, own.count * 2 >= report.sent.count else { return nil }
    let times = occurrences(of: report.message)
    var groups: [[SentFrame]] = []
    var delays: [[Duration]] = []
    var (next, before) = (0, 0)
    for (index, time) in times.enumerated() {
      let end =
        times.indices.contains(index + 1) && times[index + 1].conversation == time.conversation
        ? times[index + 1].sent.start : nil
      while next < own.count,
        (own[next].conversation, own[next].sent.start) < (time.conversation, time.sent.start)
      {
        (next, before) = (next + 1, before + 1)
      }
      var group: [SentFrame] = []
      while next < own.count, own[next].conversation == time.conversation,
        end.map({ own[next].sent.start < $0 })
          ?? (time.sent.start.duration(to: own[next].sent.start) < report.every)
      {
        group.append(own[next].sent)
        next += 1
      }
      groups.append(group)
      delays.append(group.map { time.sent.start.duration(to: $0.start) })
    }
    guard let usual = groups.filter({ !$0.isEmpty }).mostCommon({ $0.count })?.key, usual <= Self.mostSteps,
      groups.count(where: { $0.count == usual }) * 4 >= groups.count * 3, before * 5 <= own.count
    else { return nil }
    return (0..<usual).map { step in
      Reaction.Step(
        message: message,
        delay: delays.compactMap { $0.indices.contains(step) ? $0[step] : nil }.median ?? .zero,
        cases: groups.compactMap { group in
          group.indices.contains(step) ? Reaction.Case(request: nil, sent: group[step]) : nil
        })
    }
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
