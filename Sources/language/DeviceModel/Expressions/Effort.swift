import Synchronization

/// Counts the bytes that the functions and operators of expressions work on, so that no expression can keep a device busy.
package final class Effort: Sendable {
  /// The most bytes to copy for one event. A byte of a checksum counts four times, one of a cipher eight
  /// times, one of `upper` and `lower` 16 times; an agreement on keys counts as 65,536 bytes of a cipher.
  package static let most = 1 << 26

  /// Of a hash or a cipher.
  static let cipherWeight = 8

  private let left: Atomic<Int>

  package init(_ most: Int = Effort.most) { left = Atomic(most) }

  /// Begins another event.
  package func renew() { left.store(Self.most, ordering: .relaxed) }

  /// Counts work before it begins.
  func spend(_ bytes: Int) throws(EvaluationError) {
    let rest = left.load(ordering: .relaxed) - bytes
    guard rest >= 0 else { throw .tooMuchWork }
    left.store(rest, ordering: .relaxed)
  }

  /// Counts a comparison, for which text may have to be normalized.
  func spend(comparing a: String, _ b: String) throws(EvaluationError) {
    try spend(8 * min(a.utf8.count, b.utf8.count))
  }

  func spend(on arguments: [Value], by function: Expression.Function) throws(EvaluationError) {
    let weight = function.weight
    if weight == 0 { return }
    var bytes = 0
    for argument in arguments { bytes += argument.byteCount }
    if function == .fill, case .integer(let count) = arguments[1] {
      bytes = Int(min(max(0, count), Int64(Value.largestSize)))
    }
    try spend(weight * bytes)
  }
}

extension Value {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    default: 0
    }
  }
}

extension Expression.Function {
  /// How many times longer than a copy a function takes for a byte.
  fileprivate var weight: Int {
    switch self {
    case .ceil, .floor, .round, .abs, .min, .max, .size, .sin, .cos, .year, .month, .day, .hour, .minute,
      .second, .weekday, .yearday, .time:
      0
    case .localTime, .slice, .text, .startsWith, .utf8, .reverse, .patch, .fill: 1
    case .number, .bytes, .upper, .lower: 16
    case .hex, .base64, .fromBase64, .contains, .find, .replace, .xor, .slip, .unslip, .escape, .unescape: 4
    }
  }
}
