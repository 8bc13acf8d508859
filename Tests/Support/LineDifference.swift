/// Merges the lines of two texts and marks each: `-` is in the first text only, `+` in the second only.
package struct LineDifference: CustomStringConvertible {
  private var lines: [String] = []

  package var description: String { lines.joined(separator: "\n") }

  package init(from first: String, to second: String) {
    var (old, new) = (Self.lines(of: first)[...], Self.lines(of: second)[...])
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let index, _, _): removed.insert(index)
      case .insert(let index, _, _): inserted.insert(index)
      }
    }
    while let line = old.first ?? new.first {
      if removed.contains(old.startIndex) {
        lines.append("- " + line)
        old.removeFirst()
      } else if inserted.contains(new.startIndex) {
        lines.append("+ " + new.removeFirst())
      } else {
        lines.append("  " + line)
        old.removeFirst()
        new.removeFirst()
      }
    }
  }

  private static func lines(of text: String) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
