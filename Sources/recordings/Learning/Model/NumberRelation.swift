import DeviceModel

/// How one number follows from another.
enum NumberRelation: Hashable, Sendable {
  case equal
  case times(Int64)
  /// Rounded down.
  case over(Int64)
  /// Without what is too large for the field.
  case plus(Int64, below: Int64)
  case xor(Int64)
  case or(Int64)
  /// One number for each of two.
  case either(if: Int64, then: Int64, else: Int64)

  private static let factors: [Int64] = [10, 100]

  /// The simplest relation between the numbers; nil: there is none.
  init?(of source: (Int) -> Int64?, to numbers: [Int64], below limit: Int64) {
    // Where the number first changes, its source changes.
    guard let first = numbers.first, let change = numbers.firstIndex(where: { $0 != first }),
      let start = source(0), let next = source(change), start != next
    else { return nil }
    var relations = Self.relations(of: start, to: first, next, numbers[change], below: limit)
    for (index, number) in numbers.enumerated() {
      guard !relations.isEmpty, let value = source(index) else { return nil }
      relations.removeAll {
        $0.number(of: value) != number || ($0.isSwitch && value != start && value != next)
      }
    }
    let isVaried = Set(numbers).count > 2
    guard let found = relations.first(where: { isVaried || !$0.isShift }) else { return nil }
    self = found
  }

  /// Those of two pairs, the simplest first. A constant as large as a wide number would explain anything.
  private static func relations(
    of first: Int64, to number: Int64, _ second: Int64, _ other: Int64, below limit: Int64
  ) -> [Self] {
    var relations: [Self] = [.equal] + factors.flatMap { [Self.times($0), .over($0)] }
    guard limit <= 256 else { return relations }
    let term = ((number - first) % limit + limit) % limit
    relations += [
      .plus(term, below: limit), .xor(number ^ first), .or(number & ~first),
      .either(if: first, then: number, else: other), .either(if: second, then: other, else: number),
    ]
    return relations
  }

  /// Whether a constant makes up for any difference between two numbers.
  private var isShift: Bool {
    switch self {
    case .plus, .xor, .or: true
    case .equal, .times, .over, .either: false
    }
  }

  private var isSwitch: Bool { if case .either = self { true } else { false } }

  func number(of value: Int64) -> Int64 {
    switch self {
    case .equal: value
    case .times(let factor): value &* factor
    case .over(let factor): value / factor
    case .plus(let term, let limit): (value &+ term) % limit
    case .xor(let mask): value ^ mask
    case .or(let mask): value | mask
    case .either(let first, let then, let other): value == first ? then : other
    }
  }

  /// - Parameters:
  ///   - greatest: of the values.
  ///   - limit: the least number that does not fit into the field.
  func expression(of value: Expression, upTo greatest: Int64, below limit: Int64) -> Expression {
    let number: Expression =
      switch self {
      case .equal: value
      case .times(let factor): .binary(.multiply, value, .number(factor))
      case .over(let factor): .binary(.divideWhole, value, .number(factor))
      case .plus(let term, let limit): (value + term) % limit
      case .xor(let mask): .binary(.bitXor, value, .number(mask))
      case .or(let mask): .binary(.bitOr, value, .number(mask))
      case .either(let first, let then, let other):
        .conditional(.binary(.equal, value, .number(first)), then: .number(then), else: .number(other))
      }
    return self.greatest(of: greatest) < limit ? number : number % limit
  }

  /// A bound of the numbers that follow from values up to the greatest.
  private func greatest(of value: Int64) -> Int64 {
    switch self {
    case .equal, .times, .over: number(of: value)
    case .plus(_, let limit): limit - 1
    case .xor(let mask), .or(let mask): value + mask
    case .either(_, let then, let other): max(then, other)
    }
  }

  /// What the numbers must show before the relation is no coincidence, in bits.
  var cost: Int {
    switch self {
    case .equal: 0
    case .times, .over: 4
    case .plus, .xor, .or: 8
    case .either: 20
    }
  }

  /// As in `plus 64`; empty if the numbers are equal.
  var words: String {
    switch self {
    case .equal: ""
    case .times(let factor): " times \(factor)"
    case .over(let factor): " divided by \(factor)"
    case .plus(let term, _): " plus \(term)"
    case .xor(let mask): " xor \(mask)"
    case .or(let mask): " or \(mask)"
    case .either(let first, let then, let other): ": \(then) for \(first), otherwise \(other)"
    }
  }
}
