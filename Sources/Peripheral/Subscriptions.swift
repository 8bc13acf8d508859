/// How many subscriptions each characteristic has.
///
/// They are counted, not named: not every transport can tell who subscribed.
struct Subscriptions {
  private var counts: [Int]

  init(count: Int) {
    counts = Array(repeating: 0, count: count)
  }

  func hasSubscribers(_ characteristic: Int) -> Bool { counts[characteristic] > 0 }

  mutating func add(_ characteristic: Int) { counts[characteristic] += 1 }

  mutating func remove(_ characteristic: Int) { counts[characteristic] = max(0, counts[characteristic] - 1) }
}
