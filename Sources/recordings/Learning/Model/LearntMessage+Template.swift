import Framing

extension LearntMessage {
  /// The message as the language writes it: `55 AA 02 {count-3: u8} {pad(30)} {sum8}`.
  ///
  /// - Parameters:
  ///   - layout: of its fields.
  ///   - first: where it begins in a longer message.
  func template(_ layout: MessageLayout, from first: Int = 0) -> String {
    var (words, offset) = ([String](), Int?(first))
    var places = layout.places[...]
    for part in parts {
      switch part {
      case .constant(let bytes) where isText:
        words.append(
          String(decoding: bytes, as: UTF8.self).replacing("{", by: "{{").replacing("}", by: "}}"))
      case .constant(let bytes): words += Self.words(of: bytes, at: offset)
      case .field: if let place = places.popFirst() { words.append("{\(place.name): \(place.type.name)}") }
      case .size(let width, let order, let adjust): words.append(Self.size(width, order, adjust))
      case .checksum(let checksum, let start): words.append(checksum.word(from: first + start))
      }
      offset = offset.flatMap { offset in part.width.map { offset &+ $0 } }
    }
    return words.joined(separator: isText ? "" : " ")
  }

  private static func size(_ width: Int, _ order: ByteOrder, _ adjust: Int) -> String {
    let size = adjust == 0 ? "size" : adjust > 0 ? "size + \(adjust)" : "size - \(-adjust)"
    return "{\(size): \(FieldType.integer(width: width, order, isSigned: false).name)}"
  }

  /// The shortest run of zero bytes that is written as padding.
  private static let padding = 8

  /// - Parameter offset: their index in the message; nil: it varies.
  private static func words(of bytes: [UInt8], at offset: Int?) -> [String] {
    guard let offset else { return bytes.isEmpty ? [] : [HexText.format(bytes)] }
    var (words, plain) = ([String](), [UInt8]())
    var index = 0
    while index < bytes.count {
      let zeros = bytes[index...].prefix { $0 == 0 }.count
      guard zeros >= padding else {
        let taken = max(1, zeros)
        plain += bytes[index..<index + taken]
        index += taken
        continue
      }
      if !plain.isEmpty { words.append(HexText.format(plain)) }
      plain = []
      index += zeros
      words.append("{pad(\(offset + index))}")
    }
    return words + (plain.isEmpty ? [] : [HexText.format(plain)])
  }
}

extension Checksum {
  /// As in a template: the checksum of the bytes before it, from an index on.
  func word(from start: Int) -> String { start == 0 ? "{\(self)}" : "{\(self)(\(start))}" }
}

extension [UInt8] {
  /// The bytes as a message of the language, with these words in place of some of them.
  func template(with words: [(places: Range<Int>, word: String)]) -> String {
    var (template, end) = ([String](), 0)
    for (places, word) in words.sorted(by: { $0.places.lowerBound < $1.places.lowerBound }) {
      if end < places.lowerBound { template.append(HexText.format(Array(self[end..<places.lowerBound]))) }
      template.append(word)
      end = places.upperBound
    }
    if end < count { template.append(HexText.format(Array(self[end...]))) }
    return template.joined(separator: " ")
  }
}
