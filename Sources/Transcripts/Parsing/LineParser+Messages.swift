import Definitions

/// Messages of the definition with their fields: `day-request month=1 day=2`.
extension LineParser {
  /// The bytes of a message, all of whose fields must be given.
  func build(_ message: MessageTemplate, _ name: Token, _ words: inout Words) throws(Diagnostic) -> [UInt8] {
    var values: [Int: Value] = [:]
    while let token = words.next() {
      let index = try field(token, of: message, given: Set(values.keys), words)
      values[index] = try value(token, of: message.fields[index], words)
    }
    let missing = message.fields.indices.filter { values[$0] == nil }.map { message.fields[$0].name }
    guard missing.isEmpty else {
      throw words.error("'\(message.name)' lacks \(missing.joined(separator: ", "))", at: name.range)
    }
    do { return try message.build(message.fields.indices.map { values[$0]! }) } catch {
      throw words.error("'\(message.name)' cannot be built: \(error)", at: name.range)
    }
  }

  /// A message whose fields may be anything where none is given, or `*`.
  func messagePattern(_ message: MessageTemplate, _ words: inout Words) throws(Diagnostic) -> MessagePattern {
    var pattern = MessagePattern(message: message, fields: [:])
    var given: Set<Int> = []
    while let token = words.peek, token.word != "after", token.word != "within" {
      _ = words.next()
      let index = try field(token, of: message, given: given, words)
      given.insert(index)
      if token.content == .word("*") { continue }
      pattern.fields[index] = try fieldPattern(token, of: message.fields[index], words)
    }
    return pattern
  }

  private func field(
    _ token: Token, of message: MessageTemplate, given: Set<Int>, _ words: Words
  ) throws(Diagnostic) -> Int {
    let names = message.fields.map(\.name)
    guard let name = token.name else {
      throw words.error("expected FIELD=VALUE", at: token.range, hint: hint(names))
    }
    guard let index = names.firstIndex(of: name) else {
      throw words.error(
        "'\(message.name)' has no field '\(name)'", at: token.nameRange,
        hint: names.isEmpty ? hint(names) : Suggestion.hint(for: name, in: names))
    }
    if given.contains(index) { throw words.error("'\(name)' is given twice", at: token.range) }
    return index
  }

  private func hint(_ names: [String]) -> String {
    names.isEmpty ? "the message has no fields" : "fields: " + names.joined(separator: ", ")
  }

  private func fieldPattern(
    _ token: Token, of field: MessageTemplate.Field, _ words: Words
  ) throws(Diagnostic) -> MessagePattern.FieldPattern {
    guard field.valueType == .bytes else {
      return .value(try value(token, of: field, words))
    }
    return .bytes(try bytes(token, words))
  }

  private func value(
    _ token: Token, of field: MessageTemplate.Field, _ words: Words
  ) throws(Diagnostic) -> Value {
    switch field.valueType {
    case .bytes:
      if let bytes = try bytes(token, words).exactBytes { return .bytes(bytes) }
      throw words.error("what is written has no '**' and no '...'", at: token.contentRange)
    case .text:
      if let text = token.text { return .text(text) }
      throw words.error("expected UTF-8 text", at: token.contentRange)
    case .group:
      throw words.error(
        "rows cannot be written here", at: token.contentRange, hint: "write '\(field.name)=*', or the bytes in hex")
    default:
      if case .word(let word) = token.content, let number = IntegerText.parse(word) {
        return .integer(Int64(number))
      }
      throw words.error("'\(field.name)' is a whole number", at: token.contentRange, hint: "as 17 or 0x11")
    }
  }

  /// `0102**...`, or text in quotes.
  func bytes(_ token: Token, _ words: Words) throws(Diagnostic) -> BytePattern {
    var pattern = BytePattern()
    switch token.content {
    case .quoted(let bytes): pattern.bytes = bytes
    case .word(let word): try append(word, token.contentRange, to: &pattern, words)
    }
    return pattern
  }
}
