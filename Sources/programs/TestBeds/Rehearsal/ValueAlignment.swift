import Learning

/// Pairs the values of a characteristic with those of another conversation, in order: as many equal ones as possible, then as many
/// of the same length and opcode, with few that are missing, extra or wrong.
struct ValueAlignment {
  /// nil on one side: a missing or an extra value.
  private(set) var pairs: [(Exchange?, Exchange?)] = []

  /// How many more values may be missing than extra up to some place, or the other way round.
  private static let horizon = 16

  private enum Step: UInt8 {
    case pair, missing, extra
  }

  init(_ left: [Exchange], _ right: [Exchange]) {
    // The values that both begin with need no search.
    let same = zip(left, right).prefix { $0.value == $1.value }.count
    pairs = zip(left, right).prefix(same).map { ($0, $1) }
    let (left, right) = (Array(left.dropFirst(same)), Array(right.dropFirst(same)))
    let common = min(left.count, right.count)
    guard common > 0 else {
      pairs += left.map { ($0, nil) } + right.map { (nil, $0) }
      return
    }
    let steps = Self.steps(left.map { $0.value ?? [] }, right.map { $0.value ?? [] })
    var (first, second) = (0, 0)
    for step in steps {
      switch step {
      case .pair:
        pairs.append((left[first], right[second]))
        (first, second) = (first + 1, second + 1)
      case .missing:
        pairs.append((left[first], nil))
        first += 1
      case .extra:
        pairs.append((nil, right[second]))
        second += 1
      }
    }
  }

  /// The steps of least cost from the start to the end of both, in a band around the diagonal.
  private static func steps(_ left: [[UInt8]], _ right: [[UInt8]]) -> [Step] {
    let (low, high) = (min(0, right.count - left.count) - horizon, max(0, right.count - left.count) + horizon)
    let width = high - low + 1
    var costs = Array(repeating: Int.max / 2, count: width)
    var choices: [Step] = []
    choices.reserveCapacity((left.count + 1) * width)
    for row in 0...left.count {
      var next = Array(repeating: Int.max / 2, count: width)
      for place in 0..<width {
        let column = row + low + place
        guard column >= 0, column <= right.count else {
          choices.append(.pair)
          continue
        }
        var best = (cost: row == 0 && column == 0 ? 0 : Int.max / 2, step: Step.pair)
        if row > 0, column > 0 {
          let cost = costs[place] + cost(left[row - 1], right[column - 1])
          if cost < best.cost { best = (cost, .pair) }
        }
        if row > 0, place + 1 < width, costs[place + 1] + gap < best.cost {
          best = (costs[place + 1] + gap, .missing)
        }
        if column > 0, place > 0, next[place - 1] + gap < best.cost { best = (next[place - 1] + gap, .extra) }
        next[place] = best.cost
        choices.append(best.step)
      }
      costs = next
    }
    var (row, column, steps) = (left.count, right.count, [Step]())
    while row > 0 || column > 0 {
      let step = choices[row * width + column - row - low]
      steps.append(step)
      row -= step == .extra ? 0 : 1
      column -= step == .missing ? 0 : 1
    }
    return steps.reversed()
  }

  /// Of a missing or an extra value.
  private static let gap = 3

  private static func cost(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left == right ? 0 : left.isAlike(right) ? 2 : 5
  }
}
