extension Span<UInt8> {
  func firstOccurrence(of pattern: [UInt8], from start: Int = 0) -> Int? {
    var index = start
    while index + pattern.count <= count {
      if has(pattern, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// Where `pattern` begins, or begins to begin at the very end.
  func firstPossibleOccurrence(of pattern: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < count {
      if mayHave(pattern, at: index) { return index }
      index += 1
    }
    return nil
  }

  func has(_ pattern: [UInt8], at index: Int) -> Bool {
    index + pattern.count <= count && mayHave(pattern, at: index)
  }

  /// No byte from `index` on contradicts `pattern`.
  func mayHave(_ pattern: [UInt8], at index: Int) -> Bool {
    for offset in 0..<Swift.min(pattern.count, count - index) where self[index + offset] != pattern[offset] {
      return false
    }
    return true
  }

  var array: [UInt8] { indices.map { self[$0] } }
}

extension Span<UInt8> {
  /// Where the last occurrence of `pattern` ends.
  func lastEnd(of pattern: [UInt8]) -> Int? {
    var end = count
    while end >= pattern.count {
      if has(pattern, at: end - pattern.count) { return end }
      end -= 1
    }
    return nil
  }
}
