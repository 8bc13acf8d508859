import TestSupport

/// The text of packets in transcripts: bytes in hex, and `2E*18` for a byte that comes 18 times.
enum PacketText {
  static func bytes(_ text: some StringProtocol) -> [UInt8] {
    text.split(separator: " ").flatMap { word in
      let parts = word.split(separator: "*")
      let bytes = hex(String(parts[0]))
      return parts.count == 1 ? bytes : Array(repeating: bytes, count: Int(parts[1])!).flatMap(\.self)
    }
  }

  /// Bytes that come more than seven times in a row are written once, with their count.
  static func text(_ bytes: [UInt8]) -> String {
    var words: [String] = []
    var rest = bytes[...]
    while let byte = rest.first {
      let count = rest.prefix { $0 == byte }.count
      let word = hexadecimal(byte)
      words += count > 7 ? ["\(word)*\(count)"] : Array(repeating: word, count: count)
      rest = rest.dropFirst(count)
    }
    return words.joined(separator: " ")
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }
}
