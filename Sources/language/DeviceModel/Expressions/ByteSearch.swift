/// Finds a pattern in bytes, in time proportional to their sizes, whatever the bytes are (Knuth, Morris and Pratt, "Fast
/// Pattern Matching in Strings", 1977).
struct ByteSearch {
  let pattern: [UInt8]
  /// For each prefix of the pattern: the length of its longest proper suffix that is also a prefix.
  private let repeated: [Int]

  init(_ pattern: [UInt8]) {
    self.pattern = pattern
    var repeated = Array(repeating: 0, count: pattern.count)
    var matched = 0
    for index in pattern.indices.dropFirst() {
      while matched > 0, pattern[index] != pattern[matched] { matched = repeated[matched - 1] }
      if pattern[index] == pattern[matched] { matched += 1 }
      repeated[index] = matched
    }
    self.repeated = repeated
  }

  /// The index of the first occurrence that begins at `start` or after it.
  func first(in bytes: [UInt8], from start: Int = 0) -> Int? {
    guard !pattern.isEmpty else { return start <= bytes.count ? start : nil }
    var matched = 0
    var index = start
    while index < bytes.count {
      while matched > 0, bytes[index] != pattern[matched] { matched = repeated[matched - 1] }
      if bytes[index] == pattern[matched] { matched += 1 }
      index += 1
      if matched == pattern.count { return index - matched }
    }
    return nil
  }

  /// The bytes with other ones in place of each occurrence.
  ///
  /// - Throws: ``EvaluationError/tooLong(_:)``.
  func replacingAll(in bytes: [UInt8], by new: [UInt8]) throws(EvaluationError) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    while let place = first(in: bytes, from: start) {
      result += bytes[start..<place] + new
      start = place + pattern.count
      guard result.count <= Value.largestSize else { throw .tooLong(result.count) }
    }
    return result + bytes[start...]
  }
}
