import Definitions
import DeviceModel

/// Messages with fields: `day-request month=1 day=2`.
extension LineParser {
  /// Builds the bytes of a message. The line must give every field that is not optional.
  func build(_ message: MessageTemplate, _ name: Token, _ words: inout Words) throws(Diagnostic) -> [UInt8] {
    var values = MessageValues(message)
    while let token = words.next() {
      let path = try path(token, in: message, words)
      guard values[path] == nil else { throw givenTwice(token, words) }
      values[path] = try value(token, for: path, in: message, words)
    }
    let missing = values.missing
    guard missing.isEmpty else {
      throw words.error(.missingFields(missing, message: message.name), at: name.range)
    }
    do { return try message.build(values.fields) } catch {
      throw words.error(.cannotBuild(message: message.name, error), at: name.range)
    }
  }

  /// Reads an expected message. A field that is absent or `*` matches anything.
  func messagePattern(_ message: MessageTemplate, _ words: inout Words) throws(Diagnostic) -> MessagePattern {
    var pattern = MessagePattern(message: message)
    var given: Set<FieldPath> = []
    while let token = words.peek, !Self.followsValue(token) {
      _ = words.next()
      let path = try path(token, in: message, words)
      guard given.insert(path).inserted else { throw givenTwice(token, words) }
      if token.content == .word("*") { continue }
      pattern.fields.append((path, try fieldPattern(token, for: path, in: message, words)))
    }
    return pattern
  }

  private func givenTwice(_ token: Token, _ words: Words) -> Diagnostic {
    words.error(.secondValue(field: token.name ?? ""), at: token.range)
  }

  private func path(_ token: Token, in message: MessageTemplate, _ words: Words) throws(Diagnostic)
    -> FieldPath
  {
    let names = message.fields.flatMap { Self.names(of: $0, as: $0.name) }
    guard let name = token.name else { throw words.error(.notField(known: names), at: token.range) }
    if let path = FieldPath(name, in: message) { return path }
    throw words.error(.unknownField(name, message: message.name, known: names), at: token.nameRange)
  }

  private static func names(of field: MessageTemplate.Field, as name: String) -> [String] {
    guard field.valueType.isGroup else { return [name] }
    return field.columns.flatMap { names(of: $0, as: "\(name)[0].\($0.name)") }
  }
}

// MARK: Values of fields

extension LineParser {
  private func fieldPattern(
    _ token: Token, for path: FieldPath, in message: MessageTemplate, _ words: Words
  ) throws(Diagnostic) -> MessagePattern.FieldPattern {
    if path.type(in: message) == .bytes { return .bytes(try bytes(token, for: path, in: message, words)) }
    return .value(try value(token, for: path, in: message, words))
  }

  private func value(
    _ token: Token, for path: FieldPath, in message: MessageTemplate, _ words: Words
  ) throws(Diagnostic) -> Value {
    switch path.type(in: message) {
    case .bytes:
      if let bytes = try bytes(token, for: path, in: message, words).exactBytes { return .bytes(bytes) }
      throw words.error(.wildcard, at: token.contentRange)
    case .text:
      guard let text = token.text else { throw words.error(.notUTF8, at: token.contentRange) }
      if let names = path.encoding(in: message)?.namedNumbers?.names, !names.contains(text) {
        throw words.error(.notNamed(text, known: names), at: token.contentRange)
      }
      return .text(text)
    case .decimal: return .decimal(try decimal(token, for: path, in: message, words))
    case .group:
      throw words.error(.repeatedPart(path.name(in: message)), at: token.range)
    default:
      if case .word(let word) = token.content, let number = IntegerText.parse(word) {
        return .integer(Int64(number))
      }
      throw words.error(.notWholeNumber(field: token.name ?? ""), at: token.contentRange)
    }
  }

  /// The number as the field represents it, or one of the words `nan`, `nres`, `infinity`, `-infinity`.
  private func decimal(
    _ token: Token, for path: FieldPath, in message: MessageTemplate, _ words: Words
  ) throws(Diagnostic) -> Double {
    guard case .word(let word) = token.content,
      let number = DecimalText.parse(word) ?? DecimalWord.number(word)
    else {
      throw words.error(.notDecimal(field: token.name ?? ""), at: token.contentRange)
    }
    return path.encoding(in: message)?.nearest(to: number) ?? number
  }

  /// `0102**...`, or text in quotes; for an address, also `4C:32:75:0A:11:9E`.
  private func bytes(
    _ token: Token, for path: FieldPath, in message: MessageTemplate, _ words: Words
  ) throws(Diagnostic) -> BytePattern {
    var pattern = BytePattern()
    switch token.content {
    case .quoted(let bytes): pattern.bytes = bytes
    case .word(let word):
      let isAddress = path.encoding(in: message)?.isAddress ?? false
      let digits = isAddress ? word.replacing(":", by: "") : word
      try append(digits, token.contentRange, to: &pattern, words)
    }
    return pattern
  }
}
