import Learning

/// Pairs the values of a characteristic with those of another conversation, in order. Where they differ, it looks for the
/// nearest place at which they agree again.
struct ValueAlignment {
  /// nil on one side: a missing or an extra value.
  private(set) var pairs: [(Exchange?, Exchange?)] = []

  /// How many values may be missing or extra in one place.
  private static let horizon = 16

  init(_ left: [Exchange], _ right: [Exchange]) {
    var (left, right) = (left[...], right[...])
    while let first = left.first, let second = right.first {
      if first.value != second.value {
        let missing = left.prefix(Self.horizon).dropFirst().firstIndex { $0.value == second.value }
        let extra = right.prefix(Self.horizon).dropFirst().firstIndex { $0.value == first.value }
        let skips = (missing.map { $0 - left.startIndex }, extra.map { $0 - right.startIndex })
        if let skip = skips.0, skip <= skips.1 ?? .max, left.count > right.count {
          pairs += left.prefix(skip).map { ($0, nil) }
          left = left.dropFirst(skip)
          continue
        }
        if let skip = skips.1, right.count > left.count {
          pairs += right.prefix(skip).map { (nil, $0) }
          right = right.dropFirst(skip)
          continue
        }
      }
      pairs.append((first, second))
      (left, right) = (left.dropFirst(), right.dropFirst())
    }
    pairs += left.map { ($0, nil) }
    pairs += right.map { (nil, $0) }
  }
}
