import Framing

/// A printable frame in parts: words of letters and digits, and what is between them.
struct TextTokens {
  let tokens: [ArraySlice<UInt8>]

  init(_ frame: [UInt8]) {
    var (tokens, start) = ([ArraySlice<UInt8>](), 0)
    for index in frame.indices where index > start {
      if frame[index].isWordCharacter != frame[start].isWordCharacter {
        tokens.append(frame[start..<index])
        start = index
      }
    }
    self.tokens = frame.isEmpty ? [] : tokens + [frame[start...]]
  }

  /// What tells kinds of frames apart: all but the words with digits, which are empty here.
  var outline: [ArraySlice<UInt8>] { tokens.map { $0.contains(where: \.isDigit) ? [] : $0 } }
}

extension UInt8 {
  var isPrintable: Bool { 0x20...0x7E ~= self }
  /// Printable, or a control character that lines have.
  var isOfText: Bool { isPrintable || 0x09...0x0D ~= self }
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  var isAlphanumeric: Bool { isDigit || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self & 0xDF }
  fileprivate var isWordCharacter: Bool { isAlphanumeric || self == UInt8(ascii: "_") }
}

/// The messages of a stream of text, such as `AT+NAME?` or `T=36,H=60`: frames of a kind have the same words, but for numbers.
struct TextMessages {
  let messages: [LearntMessage]

  private static let mostKinds = 64
  private static let longestName = 24

  /// nil: the frames are no text.
  init?(_ frames: [[UInt8]], prefix: String, id: String, isRequest: Bool) {
    let all = frames.joined()
    guard frames.count > 1, all.allSatisfy(\.isOfText),
      all.count(where: \.isWordCharacter) * 3 > all.count,
      frames.count(where: { $0.count(where: \.isWordCharacter) > 2 }) * 2 >= frames.count
    else { return nil }
    let tokens = frames.map(TextTokens.init)
    var names = ModelNames(taken: [])
    messages = Self.groups(tokens, isRequest: isRequest).map { group in
      let parts = Self.parts(group.map { tokens[$0].tokens })
      var message = LearntMessage(names.unique(Self.name(parts, prefix, id)), parts, frames: group)
      message.isText = true
      return message
    }
  }

  /// The indices of frames with the same outline. Requests that begin with a number, such as `010C`, are told apart by it.
  private static func groups(_ tokens: [TextTokens], isRequest: Bool) -> [[Int]] {
    let outlines = Dictionary(grouping: tokens.indices) { index -> [ArraySlice<UInt8>] in
      var outline = tokens[index].outline
      if isRequest, let first = outline.firstIndex(of: []),
        outline[..<first].allSatisfy({ !$0.contains(where: \.isWordCharacter) })
      {
        outline[first] = tokens[index].tokens[first]
      }
      return outline
    }
    return outlines.values.sorted { $0[0] < $1[0] }
  }

  private static func parts(_ frames: [[ArraySlice<UInt8>]]) -> [LearntMessage.Part] {
    var parts: [LearntMessage.Part] = []
    for (index, token) in (frames.first ?? []).enumerated() {
      let all = Set(frames.map { $0[index] })
      if all.count > 1 {
        let name = areNumbers(all) ? "number" : "word"
        parts.append(.field(LearntField("\(name)-\(index)", width: nil, meaning(of: all, at: index))))
      } else if case .constant(let bytes)? = parts.last {
        parts[parts.count - 1] = .constant(bytes + token)
      } else {
        parts.append(.constant(Array(token)))
      }
    }
    return parts
  }

  private static func areNumbers(_ words: Set<ArraySlice<UInt8>>) -> Bool {
    words.allSatisfy { $0.count <= 18 && $0.allSatisfy(\.isDigit) }
  }

  /// Decimal numbers have no zeros before them, or all the same number of digits.
  private static func meaning(of words: Set<ArraySlice<UInt8>>, at index: Int) -> LearntField.Meaning {
    guard areNumbers(words) else { return .word(token: index) }
    if words.allSatisfy({ $0.count == 1 || $0.first != UInt8(ascii: "0") }) {
      return .digits(token: index, count: nil)
    }
    let counts = Set(words.map(\.count))
    return counts.count == 1 ? .digits(token: index, count: counts.first) : .word(token: index)
  }

  /// By the first words: `request-at-name`.
  private static func name(_ parts: [LearntMessage.Part], _ prefix: String, _ id: String) -> String {
    let constants = parts.flatMap { part -> [UInt8] in
      if case .constant(let bytes) = part { bytes + [0x20] } else { [0x20] }
    }
    let words = TextTokens(constants).tokens.filter { $0.allSatisfy(\.isWordCharacter) }
      .map { String(decoding: $0, as: UTF8.self).lowercased().replacing("_", by: "-") }
    var name = prefix
    for word in words where name.count + word.count < longestName { name += "-\(word)" }
    return name == prefix ? "\(prefix)-\(id)" : name
  }
}
