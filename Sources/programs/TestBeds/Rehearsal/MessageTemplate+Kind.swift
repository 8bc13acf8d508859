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
    for token in Self.tokens(of: source) {
      if token.hasPrefix("{pad("), let end = Int(token.dropFirst(5).prefix(while: \.isNumber)) {
        words.append(place >= head && place < end ? "{fixed-\(place): bytes(\(end - place))}" : token)
        place = end
      } else if token.hasPrefix("{") {
        words.append(token)
        place = known[place...].firstIndex { $0.mask == 0xFF } ?? known.count
      } else {
        guard let bytes = try? HexText.parse(String(token)), place + bytes.count <= known.count else {
          return nil
        }
        for byte in bytes {
          guard known[place] == .exactly(byte) else { return nil }
          let stays = place < head || telling.contains(place)
          words.append(stays ? "\(HexText.format([byte]))" : "{fixed-\(place): u8}")
          place += 1
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
