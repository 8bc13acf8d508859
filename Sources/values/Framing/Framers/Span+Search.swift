extension Span<UInt8> {
  func firstOccurrence(of pattern: [UInt8], from start: Int = 0) -> Int? {
    var index = start
    while index + pattern.count <= count {
      if has(pattern, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// The index of `pattern`, or of its beginning at the end of the bytes.
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

  /// Whether the bytes from `index` on match `pattern`, or its beginning if they are fewer.
  func mayHave(_ pattern: [UInt8], at index: Int) -> Bool {
    for offset in 0..<Swift.min(pattern.count, count - index) where self[index + offset] != pattern[offset] {
      return false
    }
    return true
  }

  package func has(_ pattern: Span<UInt8>, at index: Int) -> Bool {
    guard index + pattern.count <= count else { return false }
    let part = extracting(index..<index + pattern.count)
    for offset in pattern.indices where part[offset] != pattern[offset] { return false }
    return true
  }

  package var array: [UInt8] { withUnsafeBufferPointer(Array.init) }
}

extension Span<UInt8> {
  /// The end of the last occurrence of `pattern`.
  func lastEnd(of pattern: [UInt8]) -> Int? {
    var end = count
    while end >= pattern.count {
      if has(pattern, at: end - pattern.count) { return end }
      end -= 1
    }
    return nil
  }
}
