import Framing

/// Shortens long values to the part around a place: `… 40 bytes …  69 73 20 74  … 12 bytes …`.
package enum Excerpt {
  /// The longest value that is shown whole at a difference, and the longest that is shown whole otherwise.
  static let (longest, longestElsewhere) = (32, 64)
  /// How much of a value is shown before the place, and from there on.
  private static let (before, after) = (8, 16)

  /// Both sides around their first difference, in the same form.
  static func write(_ expected: BytePattern, _ found: [UInt8]) -> (expected: String, found: String)? {
    guard max(expected.bytes.count, found.count) > longest else { return nil }
    let offset = expected.firstDifference(from: found) ?? 0
    let parts = [part(of: expected.bytes, around: offset), part(of: found, around: offset)]
    let isText = parts.allSatisfy { $0.bytes.allSatisfy { $0.map(isPrintable) ?? false } }
    let texts = parts.map { write($0, isText) }
    return (texts[0] + (expected.isOpen ? " ..." : ""), texts[1])
  }

  /// The beginning of a value that is not compared; the whole value if it is short.
  static func beginning(of bytes: [UInt8]) -> (bytes: [UInt8], rest: String) {
    guard bytes.count > longestElsewhere else { return (bytes, "") }
    let shown = Array(bytes.prefix(longest))
    return (shown, " … \(Phrase.count(bytes.count - shown.count, "byte"))")
  }

  /// A line of a transcript, without the middle if it is long.
  package static func line(_ text: String) -> String {
    let (most, first, last) = (240, 160, 40)
    guard text.count > most else { return text }
    return "\(text.prefix(first)) … \(text.count - first - last) characters … \(text.suffix(last))"
  }

  private typealias Part = (skipped: Int, bytes: ArraySlice<UInt8?>, rest: Int)

  private static func part(of bytes: [UInt8?], around offset: Int) -> Part {
    let start = max(0, min(offset, bytes.count) - before)
    let end = min(bytes.count, start + before + after)
    return (start, bytes[start..<end], bytes.count - end)
  }

  private static func write(_ part: Part, _ isText: Bool) -> String {
    let bytes =
      isText
      ? ValueText.quote(part.bytes.compactMap(\.self))
      : part.bytes.map { $0.map { HexText.format([$0]) } ?? "**" }.joined(separator: " ")
    return [omitted(part.skipped), bytes, omitted(part.rest)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func omitted(_ count: Int) -> String {
    count > 0 ? "… \(Phrase.count(count, "byte")) …" : ""
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) || byte == 0x0D || byte == 0x0A || byte == 0x09
  }
}
