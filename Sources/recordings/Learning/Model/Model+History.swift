import DeviceModel

extension Model {
  /// The rows of recorded values by the place in the history to which the request of the answer led, or the start of the
  /// report, from 1 on.
  ///
  /// - Parameter values: the recorded values of the message, in order.
  /// - Returns: nil if the history does not determine most of them, or all are equal.
  func rows(of id: MessageID, by history: RecordedHistory, _ values: [[Value]]) -> [Int: Int]? {
    guard history.isUsable, Set(values).count > 1 else { return nil }
    let sent = sent(id)
    var rows: [Int: Int] = [:]
    var cases: [(place: Int, sent: SentFrame)] = firstReports(id, history)
    for reaction in reactions {
      guard case .request(let request) = reaction.cause,
        let step = reaction.steps.first(where: { $0.message == id })
      else { continue }
      cases += step.cases.compactMap { pair in
        pair.request.flatMap { place(after: $0, of: request.stream, history) }.map { ($0, pair.sent) }
      }
    }
    var ambiguous: Set<Int> = []
    for (place, frame) in cases {
      guard let row = sent.firstIndex(of: frame), values.indices.contains(row) else { continue }
      if let known = rows[place], values[known - 1] != values[row] { ambiguous.insert(place) }
      rows[place] = rows[place] ?? row + 1
    }
    rows = rows.filter { !ambiguous.contains($0.key) }
    return ambiguous.count < rows.count ? rows : nil
  }

  /// The first report after each of its starts.
  private func firstReports(_ id: MessageID, _ history: RecordedHistory) -> [(place: Int, sent: SentFrame)] {
    reports.filter { $0.message == id }.flatMap { report in
      var first: [(place: Int, sent: SentFrame)] = []
      var start: (place: Int, conversation: Int)?
      for window in timeline.windows {
        if window.cause == report.start, let exchange = window.exchange {
          start = (history.place(after: exchange, in: window.conversation), window.conversation)
        }
        guard let place = start, place.conversation == window.conversation,
          let sent = window.sent.first(where: { $0.message == id })
        else { continue }
        first.append((place.place, sent))
        start = nil
      }
      return first
    }
  }

  private func place(after frame: Int, of stream: Int, _ history: RecordedHistory) -> Int? {
    let analysis = streams[stream]
    guard analysis.frames.indices.contains(frame), let last = analysis.frames[frame].values.last,
      analysis.stream.values.indices.contains(last)
    else { return nil }
    let value = analysis.stream.values[last]
    return history.place(after: value.exchange, in: value.conversation)
  }
}
