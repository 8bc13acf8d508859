import Definitions
import DeviceModel
import Framing

/// Values: bytes in hex (with `**` and `...`), text in quotes, or a message.
extension LineParser {
  /// Reads an expected value.
  func pattern(_ words: inout Words) throws(Diagnostic) -> ValuePattern {
    if let message = message(words.peek) {
      _ = words.next()
      return .message(try messagePattern(message, &words))
    }
    return .bytes(try bytes(&words))
  }

  /// Reads a value to write, which has no wildcards.
  func exactValue(_ words: inout Words) throws(Diagnostic) -> [UInt8] {
    if let message = message(words.peek), let token = words.next() {
      return try build(message, token, &words)
    }
    guard let start = words.peek?.range.lowerBound else { return try bytes(&words).exactBytes ?? [] }
    if let bytes = try bytes(&words).exactBytes { return bytes }
    throw words.error(.wildcard, at: start..<max(start + 1, words.range.upperBound))
  }

  private func message(_ token: Token?) -> MessageTemplate? {
    guard let name = token?.word else { return nil }
    return definition.namedMessages.first { $0.name == name }
  }

  private func bytes(_ words: inout Words) throws(Diagnostic) -> BytePattern {
    guard words.peek != nil else { throw words.missing(.value) }
    var pattern = BytePattern()
    while let token = words.peek, !Self.followsValue(token) {
      _ = words.next()
      if pattern.isOpen { throw words.error(.wordAfterOpenEnd, at: token.range) }
      switch token.content {
      case _ where token.name != nil:
        throw words.error(.fieldWithoutMessage(messages: messageNames), at: token.range)
      case .quoted(let bytes): pattern.bytes += bytes
      case .word(let word): try append(word, token.range, to: &pattern, words)
      }
    }
    return pattern
  }

  /// Appends pairs of digits, `**` for any byte, the device's address, and `...` at the end.
  func append(
    _ word: String, _ range: Range<Int>, to pattern: inout BytePattern, _ words: Words
  ) throws(Diagnostic) {
    var rest = Array(word.utf8)[...]
    while !rest.isEmpty {
      if rest.elementsEqual("...".utf8) {
        pattern.isOpen = true
        return
      }
      if rest.first == UInt8(ascii: "{") {
        pattern.bytes += try hole(&rest, range, words)
        continue
      }
      let pair = rest.prefix(2)
      if pair.elementsEqual("**".utf8) {
        pattern.bytes.append(nil)
      } else if pair.count == 2, pair.allSatisfy(\.isHexDigit) {
        pattern.bytes.append(UInt8(String(decoding: pair, as: UTF8.self), radix: 16))
      } else {
        throw notBytes(word, range, words)
      }
      rest = rest.dropFirst(2)
    }
  }

  /// `{address}`, `{address:le}`, `{address:hex}`
  private func hole(
    _ rest: inout ArraySlice<UInt8>, _ range: Range<Int>, _ words: Words
  ) throws(Diagnostic) -> [UInt8] {
    let content = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
    guard content.endIndex < rest.endIndex else { throw words.error(.unknownHole, at: range) }
    rest = rest[(content.endIndex + 1)...]
    switch String(decoding: content.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self) {
    case "address": return address
    case "address:le": return address.reversed()
    case "address:hex": return Array(HexText.format(address).utf8.filter { $0 != UInt8(ascii: " ") })
    default: throw words.error(.unknownHole, at: range)
    }
  }

  private func notBytes(_ word: String, _ range: Range<Int>, _ words: Words) -> Diagnostic {
    let isHex = word.utf8.allSatisfy(\.isHexDigit)
    return words.error(isHex ? .halfByte : .notBytes(word, messages: messageNames), at: range)
  }

  private var messageNames: [String] { definition.namedMessages.map(\.name) }
}
