/// The text of each byte, of seven characters at most.
package struct ByteTable: Sendable {
  /// For each byte, its text from the lowest bits on, and the size of the text in the highest eight.
  private let words: [UInt64]
  private let longest: Int

  package init(_ text: (UInt8) -> [UInt8]) {
    let texts = (0...UInt8.max).map(text)
    longest = texts.map(\.count).max()!
    precondition(longest < MemoryLayout<UInt64>.size)
    words = texts.map { text in text.reversed().reduce(0) { $0 << 8 | UInt64($1) } | UInt64(text.count) << 56
    }
  }

  /// The room that ``write(_:to:at:)`` needs for so many bytes: it writes whole words.
  package func room(for count: Int) -> Int { longest * count + MemoryLayout<UInt64>.size }

  /// Writes the text of each byte from `place` on, and returns the place after it.
  package func write(_ bytes: Span<UInt8>, to text: inout MutableSpan<UInt8>, at place: Int) -> Int {
    let words = words.span
    var text = text.mutableBytes
    var place = place
    for index in bytes.indices {
      let word = words[Int(bytes[index])]
      text.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
      place &+= Int(word >> 56)
    }
    return place
  }

  /// The text of bytes.
  ///
  /// - Parameter cut: how many characters at its end to leave out.
  func text(of bytes: [UInt8], cutting cut: Int = 0) -> String {
    String(unsafeUninitializedCapacity: room(for: bytes.count)) {
      var text = $0.mutableSpan
      return max(0, write(bytes.span, to: &text, at: 0) - cut)
    }
  }
}
