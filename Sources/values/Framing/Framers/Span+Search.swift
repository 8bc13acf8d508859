extension Span<UInt8> {
  func firstOccurrence(of pattern: [UInt8], from start: Int = 0) -> Int? {
    var index = start
    while index + pattern.count <= count {
      if has(pattern, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// The index at which a packet begins, or may begin at the end of the bytes.
  func firstPossibleBeginning(of format: PacketFormat, from start: Int) -> Int? {
    var index = start
    while index < count {
      if mayBegin(format, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// Whether the bytes from `index` on have the start of a packet, or its beginning if they are fewer.
  func mayBegin(_ format: PacketFormat, at index: Int) -> Bool {
    guard !format.startMask.isEmpty else { return mayHave(format.start, at: index) }
    for offset in 0..<Swift.min(format.start.count, count - index)
    where self[index + offset] & format.startMask[offset] != format.start[offset] {
      return false
    }
    return true
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
