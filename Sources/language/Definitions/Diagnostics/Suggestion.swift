/// Finds the name that the author probably meant.
package enum Suggestion {
  /// In bytes. A longer word is not a typing mistake, and comparing it would be slow.
  private static let longestWord = 64

  /// The nearest of `candidates`, if it is near enough.
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    guard word.utf8.count <= longestWord else { return nil }
    let letters = Array(word.lowercased().utf8)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased().utf8)
      let limit = limit(letters, other)
      guard abs(other.count - letters.count) <= limit else { continue }
      let distance = distance(letters, other)
      if distance <= limit, distance < letters.count, distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.name
  }

  /// The most mistakes in a word: a third of its letters, or of the other's if both begin with the same letters.
  private static func limit(_ word: [UInt8], _ other: [UInt8]) -> Int {
    let length = word.prefix(2) == other.prefix(2) ? max(word.count, other.count) : word.count
    return max(1, length / 3)
  }

  /// "did you mean 'x'?", or the whole list if nothing is near and the list is short.
  package static func hint(for word: String, in candidates: some Collection<String>) -> String? {
    if let name = nearest(to: word, in: candidates) { return "did you mean '\(name)'?" }
    guard (1...12).contains(candidates.count) else { return nil }
    return "known: " + candidates.joined(separator: ", ")
  }

  /// The least number of insertions, deletions, substitutions and swaps of neighbours.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
