import Framing

/// What a device sends each time that something happens.
struct Reaction: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    var message: MessageID
    /// After the step before, or the cause.
    var delay: Duration
    /// Whether it begins in the value in which the step before ends.
    var isJoined = false
    /// What was sent in this step, with the index of the request's frame.
    var cases: [Case] = []
  }

  struct Case: Hashable, Sendable {
    var request: Int?
    var sent: SentFrame
  }

  var cause: Cause
  var steps: [Step]
  /// How often the cause led to exactly these steps.
  var agreeing: Int
  var cases: Int
}

extension Timeline {
  /// The reactions of the device, in the order of their causes.
  func reactions() -> [Reaction] {
    let causes = windows.compactMap(\.cause).distinct
    var answers: [Cause: Set<MessageID>] = [:]
    for message in windows.flatMap({ $0.sent.map(\.message) }).distinct {
      for cause in self.causes(of: message, among: causes) { answers[cause, default: []].insert(message) }
    }
    return causes.compactMap { cause in answers[cause].map { reaction(to: cause, of: $0) } }
  }

  /// The most messages of a kind that answer one request.
  private static let mostAnswers = 3

  /// The causes that the message follows each time, the same number of times; none if this does not explain most of them.
  private func causes(of message: MessageID, among causes: [Cause]) -> [Cause] {
    var (explained, found) = (0, [Cause]())
    for cause in causes {
      let counts = counts(of: message, after: cause)
      guard let usual = counts.filter({ $0 > 0 }).mostCommon({ $0 })?.key, usual <= Self.mostAnswers else {
        continue
      }
      let hits = counts.count { $0 == usual }
      guard hits * 4 >= counts.count * 3 else { continue }
      found.append(cause)
      explained += counts.reduce(0) { $0 + min($1, usual) }
    }
    let total = windows.reduce(0) { $0 + $1.sent.count { $0.message == message } }
    return explained * 5 >= total * 4 ? found : []
  }

  /// How often the message follows each occurrence of the cause. The last one of a conversation counts only if there was
  /// time for an answer.
  private func counts(of message: MessageID, after cause: Cause) -> [Int] {
    windows.indices.filter { windows[$0].cause == cause }.compactMap { index in
      let window = windows[index]
      let count = window.sent.count { $0.message == message }
      let isLast = index + 1 == windows.count || windows[index + 1].conversation != window.conversation
      let ends = ends.indices.contains(window.conversation) ? ends[window.conversation] : window.time
      return count == 0 && isLast && window.time.duration(to: ends) < .seconds(1) ? nil : count
    }
  }

  private func reaction(to cause: Cause, of messages: Set<MessageID>) -> Reaction {
    let windows = windows.filter { $0.cause == cause }
    let sent = windows.map { $0.sent.filter { messages.contains($0.message) } }
    let sequences = sent.map { $0.map(\.message) }
    let usual = sequences.filter { !$0.isEmpty }.mostCommon { $0 }?.key ?? []
    var steps = usual.map { Reaction.Step(message: $0, delay: .zero) }
    var (delays, joined) = (usual.map { _ in [Duration]() }, usual.map { _ in 0 })
    for (window, sent) in zip(windows, sent) {
      var (rest, last, before) = (sent[...], window.time, SentFrame?.none)
      for index in steps.indices {
        guard let place = rest.firstIndex(where: { $0.message == steps[index].message }) else { continue }
        let found = rest.remove(at: place)
        steps[index].cases.append(Reaction.Case(request: window.frame, sent: found))
        delays[index].append(max(.zero, last.duration(to: found.start)))
        last = max(last, found.end)
        if let before, before.isFollowed(by: found) { joined[index] += 1 }
        before = found
      }
    }
    for index in steps.indices { steps[index].isJoined = joined[index] * 2 > steps[index].cases.count }
    // What follows an answer may need the time that the central needed most often: too early is lost, a little late is not.
    for index in steps.indices {
      let sorted = delays[index].sorted()
      steps[index].delay =
        (index == 0 ? delays[index].median : sorted.dropFirst(sorted.count * 3 / 4).first) ?? .zero
    }
    return Reaction(
      cause: cause, steps: steps, agreeing: sequences.count { $0 == usual }, cases: windows.count)
  }
}

extension SentFrame {
  /// Whether another begins in the value in which this one ends.
  fileprivate func isFollowed(by other: Self) -> Bool {
    message.stream == other.message.stream && values.last == other.values.first && frame < other.frame
  }
}
