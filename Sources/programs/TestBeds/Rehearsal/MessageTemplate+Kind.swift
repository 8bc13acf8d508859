import Definitions
import DeviceModel
import Framing

extension MessageTemplate {
  /// The message with any bytes in place of those fixed ones that do not tell what it is: they are as recorded, too.
  ///
  /// Those before its first field, and those in which it differs from other messages, stay.
  ///
  /// - Parameter others: the messages that the device sends, this one among them.
  /// - Returns: nil if it has no such bytes.
  func kind(among others: [MessageTemplate]) -> MessageTemplate? {
    guard form == .bytes, size != nil else { return nil }
    let known = leadingBytes
    let head = known.firstIndex { $0.mask != 0xFF } ?? known.count
    let telling = Set(
      known.indices.filter { place in
        others.contains { place < $0.leadingBytes.count && known[place].contradicts($0.leadingBytes[place]) }
      })
    var (words, place) = ([Substring](), 0)
    for (number, token) in Self.tokens(of: source).enumerated() {
      // From the first byte without a fixed place on, no place is known.
      let isKnown = place < known.count
      if token.hasPrefix("{pad("), let end = Int(token.dropFirst(5).prefix(while: \.isNumber)) {
        let isRecorded = isKnown && place >= head && place < end
        words.append(isRecorded ? "{fixed-\(number): bytes(\(end - place))}" : token)
        place = isKnown ? min(end, known.count) : place
      } else if token.hasPrefix("{") {
        words.append(token)
        place = isKnown ? known[place...].firstIndex { $0.mask == 0xFF } ?? known.count : place
      } else {
        guard let bytes = try? HexText.parse(String(token)) else { return nil }
        for (index, byte) in bytes.enumerated() {
          let isKnown = place < known.count
          guard !isKnown || known[place] == .exactly(byte) else { return nil }
          let stays = isKnown && (place < head || telling.contains(place))
          words.append(stays ? "\(HexText.format([byte]))" : "{fixed-\(number)-\(index): u8}")
          place += isKnown ? 1 : 0
        }
      }
    }
    return try? MessageTemplate(name: name, template: words.joined(separator: " "))
  }

  /// The words of a template; a field is one.
  private static func tokens(of source: String) -> [Substring] {
    var (tokens, rest) = ([Substring](), source[...])
    while let first = rest.first {
      let end =
        first == "{"
        ? rest.firstIndex(of: "}").map(rest.index(after:)) ?? rest.endIndex
        : rest.firstIndex { $0 == "{" || $0 == " " } ?? rest.endIndex
      if first == " " {
        rest = rest.dropFirst()
      } else {
        tokens.append(rest[..<end])
        rest = rest[end...]
      }
    }
    return tokens
  }
}

extension KnownBits {
  /// Whether both bytes are known, and differ.
  fileprivate func contradicts(_ other: Self) -> Bool { mask & other.mask == 0xFF && self != other }
}
