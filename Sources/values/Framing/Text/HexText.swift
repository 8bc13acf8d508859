/// Bytes as text: `A5 06 83`.
package enum HexText {
  /// Two upper-case digits for each byte, with a space between bytes.
  package static func format(_ bytes: some Collection<UInt8>) -> String {
    spaced.text(of: Array(bytes), cutting: 1)
  }

  /// Two digits and a space.
  package static let spaced = ByteTable { [digit($0 >> 4), digit($0 & 0x0F), UInt8(ascii: " ")] }

  /// Two digits and a colon.
  package static let withColons = ByteTable { [digit($0 >> 4), digit($0 & 0x0F), UInt8(ascii: ":")] }

  /// The ASCII digit for 0 to 15.
  package static func digit(_ nibble: UInt8) -> UInt8 {
    (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") &- 10) &+ nibble
  }
}

extension HexText {
  /// Why a text is not hex bytes.
  package struct ParseError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
      case notADigit(Character)
      /// The second digit of a byte is missing.
      case lonelyDigit
    }

    package let reason: Reason

    /// The number of characters before the mistake, for a caret below it.
    package let offset: Int
  }

  /// Reads pairs of digits in either case; spaces between the pairs are optional.
  package static func parse(_ text: some StringProtocol) throws(ParseError) -> [UInt8] {
    if let bytes = bytes(of: Array(text.utf8)) { return bytes }
    var bytes = [UInt8]()
    var high: (digit: UInt8, offset: Int)?
    for (offset, character) in text.enumerated() {
      if character.isASCII, let digit = character.hexDigitValue.map({ UInt8($0) }) {
        if let first = high {
          bytes.append(first.digit << 4 | digit)
          high = nil
        } else {
          high = (digit, offset)
        }
      } else if !character.isWhitespace {
        throw ParseError(reason: .notADigit(character), offset: offset)
      } else if let high {
        throw ParseError(reason: .lonelyDigit, offset: high.offset)
      }
    }
    if let high { throw ParseError(reason: .lonelyDigit, offset: high.offset) }
    return bytes
  }

  /// The bytes of a text of pairs and spaces; nil for any other.
  ///
  /// Nearly every text has this form, and this reads it many times faster than character by character.
  private static func bytes(of text: [UInt8]) -> [UInt8]? {
    var bytes = [UInt8]()
    bytes.reserveCapacity(text.count / 2)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: " ") {
        index += 1
      } else {
        guard index + 1 < text.count, let high = nibble(text[index]), let low = nibble(text[index + 1]) else {
          return nil
        }
        bytes.append(high << 4 | low)
        index += 2
      }
    }
    return bytes
  }

  /// The value of an ASCII digit; nil for any other byte.
  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension HexText.ParseError: CustomStringConvertible {
  package var description: String {
    switch reason {
    case .notADigit(let character): "'\(character)' is not a hexadecimal digit"
    case .lonelyDigit: "a byte needs two hexadecimal digits"
    }
  }
}
