import Framing

/// A recorded request that the device answered otherwise than others of its kind, each time alike.
struct AnswerException: Hashable, Sendable {
  var request: [UInt8]
  /// What came in place of the usual answer.
  var answers: [SentFrame]
  /// From the request to the first of them.
  var delay: Duration
}

extension Model {
  private static let mostExceptions = 8

  /// Those of a reaction, in the order of their first occurrence.
  func exceptions(to reaction: Reaction) -> [AnswerException] {
    guard case .request(let id) = reaction.cause else { return [] }
    let usual = Set(reaction.steps.map(\.message))
    let streams = Set(usual.map(\.stream))
    let reported = Set(reports.flatMap(\.messages))
    var (found, contradicted): ([AnswerException], Set<[UInt8]>) = ([], [])
    for window in timeline.windows where window.cause == reaction.cause {
      guard let frame = window.frame else { continue }
      let request = bytes(id.stream, frame)
      let sent = window.sent.filter {
        streams.contains($0.message.stream) && !reported.contains($0.message)
      }
      guard let first = sent.first else { continue }
      if sent.contains(where: { usual.contains($0.message) }) {
        contradicted.insert(request)
      } else if let known = found.first(where: { $0.request == request }) {
        if known.answers.map(self.frame) != sent.map(self.frame) { contradicted.insert(request) }
      } else {
        let delay = max(.zero, window.time.duration(to: first.start))
        found.append(AnswerException(request: request, answers: sent, delay: delay))
      }
    }
    found.removeAll { contradicted.contains($0.request) }
    return Array(found.prefix(Self.mostExceptions))
  }
}
