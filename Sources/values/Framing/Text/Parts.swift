extension String {
  /// Text of these scalars.
  @inlinable
  package init(scalars: some Collection<Unicode.Scalar>) {
    // Appending one scalar after the other takes ten times as long.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count)
    for scalar in scalars {
      if scalar.isASCII { bytes.append(UInt8(scalar.value)) } else { bytes += UTF8.encode(scalar)! }
    }
    self.init(decoding: bytes, as: UTF8.self)
  }

  /// Whether the bytes of `part` occur here in sequence.
  ///
  /// The standard library has this and the two below as well, but in one module with its regular expressions, which would make
  /// the program a megabyte larger (Tests/Release/check).
  package func hasPart(_ part: String) -> Bool {
    let (whole, part) = (Array(utf8), Array(part.utf8))
    guard whole.count >= part.count else { return false }
    return (0...(whole.count - part.count)).contains { whole[$0...].starts(with: part) }
  }

  /// The text after the first occurrence of `part`; nil: there is none.
  package func rest(after part: String) -> String? {
    let (whole, part) = (Array(utf8), Array(part.utf8))
    guard let place = whole.indices.first(where: { whole[$0...].starts(with: part) }) else { return nil }
    return String(decoding: whole[(place + part.count)...], as: UTF8.self)
  }

  /// The text with `text` in place of the first occurrence of `part`.
  package func replacing(part: String, by text: String) -> String {
    let (whole, bytes) = (Array(utf8), Array(part.utf8))
    guard let place = whole.indices.first(where: { whole[$0...].starts(with: bytes) }) else { return self }
    return String(
      decoding: whole[..<place] + Array(text.utf8) + whole[(place + bytes.count)...], as: UTF8.self)
  }
}

extension String {
  /// The text and spaces after it, up to a width.
  ///
  /// - Parameter gap: the least number of spaces.
  package func padded(to width: Int, gap: Int = 0) -> String {
    self + String(repeating: " ", count: max(gap, width - count))
  }

  /// The text and spaces before it, up to a width.
  package func aligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The text with each such character replaced by `text`.
  package func replacing(_ character: Character, by text: String) -> String {
    split(separator: character, omittingEmptySubsequences: false).joined(separator: text)
  }
}
