/// Bytes as text with 64 characters (RFC 4648).
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// Also those of the alphabet for URLs (section 5).
  private static let digits: [UInt8: UInt32] = {
    var digits = Dictionary(uniqueKeysWithValues: zip(alphabet, UInt32(0)...))
    (digits[UInt8(ascii: "-")], digits[UInt8(ascii: "_")]) = (62, 63)
    return digits
  }()

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for place in 0..<4 {
        let digit = alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 0x3F)]
        text.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

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
