/// Bytes as text with 64 characters (RFC 4648).
enum Base64 {
  /// Also those of the alphabet for URLs (section 5).
  private static let digits: [UInt8: UInt32] = {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    var digits = Dictionary(uniqueKeysWithValues: zip(alphabet, UInt32(0)...))
    (digits[UInt8(ascii: "-")], digits[UInt8(ascii: "_")]) = (62, 63)
    return digits
  }()

  /// The bytes of a text, with or without the padding at its end.
  static func decode(_ text: [UInt8]) throws(EvaluationError) -> [UInt8] {
    let end = text.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end / 4 * 3 + 2)
    var (bits, count): (UInt32, Int) = (0, 0)
    for index in 0..<end {
      guard let digit = digits[text[index]] else {
        throw .notBase64(String(decoding: text[index...].prefix(4), as: UTF8.self).first, at: index)
      }
      (bits, count) = (bits << 6 | digit, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // One character has only six bits, and three '=' would stand for less than a byte.
    guard count < 6, text.count - end < 3 else { throw .notBase64(nil, at: text.count) }
    return bytes
  }
}
