/// Writes JSON strings (RFC 8259, 7).
package enum JSONText {
  /// The most characters for one byte.
  package static let longest = 6

  /// The most bytes that a string needs, including its quotes.
  package static func maximumSize(of text: String) -> Int { 2 + longest * text.utf8.count }

  /// Writes text with quotes at `place`, and returns the index after it.
  package static func write(quoted text: String, to line: inout MutableSpan<UInt8>, at place: Int) -> Int {
    let text = text.utf8.span
    line[place] = UInt8(ascii: "\"")
    var place = place + 1
    for index in text.indices { place = write(text[index], to: &line, at: place) }
    line[place] = UInt8(ascii: "\"")
    return place + 1
  }

  /// Writes a byte of text, escaped if necessary.
  private static func write(_ byte: UInt8, to line: inout MutableSpan<UInt8>, at place: Int) -> Int {
    guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
      line[place] = byte
      return place + 1
    }
    return write(escaped: byte, to: &line, at: place)
  }

  private static func write(escaped byte: UInt8, to line: inout MutableSpan<UInt8>, at place: Int) -> Int {
    line[place] = UInt8(ascii: "\\")
    guard let letter = letter(for: byte) else {
      line[place + 1] = UInt8(ascii: "u")
      for index in 0..<4 { line[place + 2 + index] = digits[Int(byte) >> (12 - 4 * index) & 0x0F] }
      return place + 6
    }
    line[place + 1] = letter
    return place + 2
  }

  private static func letter(for byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    default: nil
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}

extension JSONText {
  /// Appends text with quotes.
  package static func append(quoted text: String, to line: inout [UInt8]) {
    let start = line.count
    line += repeatElement(0, count: maximumSize(of: text))
    var memory = line.mutableSpan
    let end = write(quoted: text, to: &memory, at: start)
    line.removeLast(line.count - end)
  }
}
