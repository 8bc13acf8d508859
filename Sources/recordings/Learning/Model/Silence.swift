import DeviceModel
import Framing

// Requests that the device has not answered, though it answers others of their kind.

extension Timeline {
  /// After such a time, a request has no answer.
  private static let patience = Duration.milliseconds(300)

  /// Whether there was time for an answer before the next cause that something followed or the end of the conversation, and nothing
  /// came that may be a part of one.
  ///
  /// - Parameter usual: how long after a request the answer comes.
  func isSilent(_ index: Int, usual: Duration = .zero) -> Bool {
    let window = windows[index]
    guard !window.hasUnframed else { return false }
    let next = windows[(index + 1)...].first {
      $0.conversation != window.conversation || !$0.sent.isEmpty || $0.hasUnframed
    }
    let end =
      next?.conversation == window.conversation
      ? next?.time : ends.indices.contains(window.conversation) ? ends[window.conversation] : nil
    return end.map { window.time.duration(to: $0) >= max(Self.patience, usual * 4) } == true
  }
}

extension [StreamAnalysis] {
  /// Cuts requests at the pauses after which the device has forgotten the beginning of one.
  ///
  /// - Parameter timeline: of these streams.
  mutating func cutRequests(by timeline: Timeline) {
    for stream in indices where self[stream].stream.direction == .fromCentral {
      var answered: (kinds: Set<MessageID>, pause: Duration) = ([], .zero)
      var silent: [(kind: MessageID, pause: Duration)] = []
      for (index, window) in timeline.windows.enumerated() {
        guard case .request(let id)? = window.cause, id.stream == stream, let frame = window.frame else {
          continue
        }
        let pause = self[stream].longestPause(in: frame)
        if !window.sent.isEmpty {
          answered = (answered.kinds.union([id]), Swift.max(answered.pause, pause))
        } else if pause > .zero, timeline.isSilent(index) {
          silent.append((id, pause))
        }
      }
      let shortest = silent.filter { answered.kinds.contains($0.kind) }.map(\.pause).min()
      if let shortest, shortest >= .milliseconds(100), shortest > answered.pause * 2 {
        self[stream].cut(after: .milliseconds(shortest.wholeMicroseconds * 3 / 4 / 10_000 * 10))
      }
    }
  }
}

extension StreamAnalysis {
  fileprivate func longestPause(in frame: Int) -> Duration {
    let values = frames[frame].values.map { stream.values[$0].time }
    return zip(values, values.dropFirst()).map { $0.duration(to: $1) }.max() ?? .zero
  }

  /// Analyses the values anew, with frames that end at pauses.
  fileprivate mutating func cut(after pause: Duration) {
    guard let framing else { return }
    let found = check.map { FoundChecksum(field: $0, agreeing: frames.count, cases: frames.count) }
    let rule = FramingRule(framing.shape, gap: pause, maxLength: framing.maxLength)
    self = StreamAnalysis(stream, Layout(rule: rule, check: found), encoding)
  }
}

extension Model {
  private static let fewestAnswered = 3
  private static let mostSilent = 4

  /// When a request is answered, if it has a field that tells those apart that never are; nil: all are answered, or nothing tells.
  func condition(for reaction: Reaction) -> Expression? {
    guard case .request(let id) = reaction.cause, let places = layouts[id]?.places else { return nil }
    let messages = Set(reaction.steps.map(\.message))
    var (answered, silent) = (Set<[UInt8]>(), Set<[UInt8]>())
    for (index, window) in timeline.windows.enumerated() where window.cause == reaction.cause {
      guard let frame = window.frame else { continue }
      if window.sent.contains(where: { messages.contains($0.message) }) {
        answered.insert(bytes(id.stream, frame))
      } else if timeline.isSilent(index, usual: reaction.steps.first?.delay ?? .zero) {
        silent.insert(bytes(id.stream, frame))
      }
    }
    silent.subtract(answered)
    guard !silent.isEmpty, silent.count <= Self.mostSilent, answered.count >= Self.fewestAnswered else {
      return nil
    }
    let field = places.indices.first { places[$0].tells(silent, from: answered) }
    return field.map { field in
      let values = Set(silent.map(places[field].bytes)).sorted { $0.lexicographicallyPrecedes($1) }
      let terms = values.map { bytes in
        Expression.binary(
          .notEqual, .field(field), .constant(places[field].type.value(of: bytes)))
      }
      return terms.dropFirst().reduce(terms[0]) { .binary(.and, $0, $1) }
    }
  }
}

extension MessageLayout.Place {
  /// Whether no request of one set has the same value here as one of the other. Of a counter, which may well be a sequence number,
  /// the one set must follow the other.
  fileprivate func tells(_ silent: Set<[UInt8]>, from answered: Set<[UInt8]>) -> Bool {
    let (silent, answered) = (Set(silent.map(bytes)), Set(answered.map(bytes)))
    guard silent.isDisjoint(with: answered) else { return false }
    switch meaning {
    case .clock, .unixTime, .calendar, .checksum: return false
    case .counter(let order, _):
      let (first, last) = (
        silent.map { order.number($0) }.min() ?? 0, answered.map { order.number($0) }.max() ?? 0
      )
      return first > last
    case .bytes, .number, .float, .enumeration, .text, .digits, .word: return true
    }
  }
}
