import Framing

extension [Conversation] {
  /// The conversations up to a moment after which a share of all exchanges comes, and that moment.
  ///
  /// - Parameter share: 0 to 1.
  package func first(without share: Double) -> (conversations: [Conversation], end: Instant) {
    let times = flatMap(\.exchanges).map(\.time).sorted()
    let count = Int((Double(times.count) * (1 - share)).rounded())
    guard count < times.count else { return (self, Instant(microseconds: .max)) }
    let end = times[count]
    let parts = map { conversation in
      var part = conversation
      part.exchanges.removeAll { $0.time >= end }
      if let last = part.end, last.time >= end { part.end = nil }
      return part
    }
    return (parts, end)
  }
}
