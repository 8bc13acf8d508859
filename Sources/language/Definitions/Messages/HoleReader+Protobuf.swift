import DeviceModel

extension HoleReader {
  /// `protobuf(1 power: varint, 2 name: text)`, whose fields are those of the template.
  func protobuf() throws(TextError) -> TemplateNode.Kind {
    .protobuf(nil, try protobufFields(hole.name, at: hole.nameStart, level: 1))
  }

  /// `{body: protobuf(…)}`, whose fields are those of `body`; nil: the hole has another type.
  func namedProtobuf() throws(TextError) -> TemplateNode.Kind? {
    guard !isInline, let type = hole.encoding, Self.isProtobuf(type) else { return nil }
    let fields = try protobufFields(type, at: hole.encodingStart, level: 1)
    return .protobuf(try field(hole.name, at: hole.nameRange, nil, type), fields)
  }

  private static func isProtobuf(_ type: String) -> Bool { type.prefix { $0 != "(" }.trimmed == "protobuf" }

  /// - Parameter start: where the text begins in the template.
  private func protobufFields(
    _ text: String, at start: Int, level: Int
  ) throws(TextError) -> [TemplateNode.ProtobufField] {
    let whole = start..<start + text.unicodeScalars.count
    let word = text.prefix { $0 != "(" }
    guard text.hasSuffix(")"), word.count < text.count else { throw TextError(.wrongProtobuf, whole) }
    guard level <= ProtobufLayout.mostLevels else { throw TextError(.deepProtobuf, whole) }
    var fields: [TemplateNode.ProtobufField] = []
    for (part, offset) in Self.parts(of: text.dropFirst(word.count + 1).dropLast()) {
      let place = start + word.unicodeScalars.count + 1 + offset
      let (field, range) = try protobufField(part, at: place, level: level)
      if let other = fields.first(where: { $0.number == field.number }) {
        throw TextError(.doubledProtobufNumber(field.number, other.field.name, field.field.name), range)
      }
      fields.append(field)
    }
    return fields
  }

  /// `1 power: varint`
  private func protobufField(
    _ text: String, at start: Int, level: Int
  ) throws(TextError) -> (TemplateNode.ProtobufField, Range<Int>) {
    let scalars = Array(text.unicodeScalars)
    let first = start + scalars.prefix { $0 == " " || $0 == "\n" }.count
    let whole = first..<start + max(scalars.count, first - start + 1)
    guard let colon = TemplateText.lastColon(in: scalars[...]) else { throw TextError(.wrongProtobuf, whole) }
    let head = String(scalars: scalars[..<colon]).trimmed
    let digits = head.prefix { $0 != " " }
    let name = head.dropFirst(digits.count).trimmed
    guard let number = TemplateNumber.parse(String(digits)), !name.isEmpty else {
      throw TextError(.wrongProtobuf, whole)
    }
    guard (1...ProtobufLayout.mostNumber).contains(number) else {
      throw TextError(.protobufNumber(most: ProtobufLayout.mostNumber), whole)
    }
    let nameStart = first + head.unicodeScalars.count - name.unicodeScalars.count
    let nameRange = nameStart..<nameStart + name.unicodeScalars.count
    let typeStart = start + colon + 1 + scalars[(colon + 1)...].prefix { $0 == " " || $0 == "\n" }.count
    let type = String(scalars: scalars[(colon + 1)...]).trimmed
    let field = try protobufField(UInt64(number), (name, nameRange), (type, typeStart), level: level)
    return (field, whole)
  }

  private func protobufField(
    _ number: UInt64, _ name: (text: String, range: Range<Int>), _ type: (text: String, start: Int),
    level: Int
  ) throws(TextError) -> TemplateNode.ProtobufField {
    var (text, start) = type
    let word = text.prefix { $0 != " " && $0 != "(" }
    let label = ["repeated", "optional"].contains(String(word)) ? String(word) : nil
    if let label {
      let rest = text.dropFirst(label.count).trimmed
      (text, start) = (rest, start + text.unicodeScalars.count - rest.unicodeScalars.count)
    }
    let range = start..<start + max(1, text.unicodeScalars.count)
    if label == "repeated", isInline { throw TextError(.repeatedAmongExpressions, range) }
    let isMessage = Self.isProtobuf(text)
    if isMessage, label == "optional" { throw TextError(.optionalMessage, range) }
    let message = isMessage ? try protobufFields(text, at: start, level: level + 1) : nil
    let encoding = isMessage ? nil : try protobufType(text, at: range)
    return TemplateNode.ProtobufField(
      number: number, field: try field(name.text, at: name.range, encoding, text), message: message,
      isRepeated: label == "repeated", isOptional: label == "optional")
  }

  private func protobufType(_ text: String, at range: Range<Int>) throws(TextError) -> FieldEncoding {
    if text == "bool" { return .boolean }
    if let hint = Mistake.protobufTypes[text.prefix { $0 != " " && $0 != "(" }.trimmed] {
      throw TextError(.protobufType(text, hint), range)
    }
    let encoding: FieldEncoding
    do { encoding = try FieldEncoding(text) } catch { throw error.shifted(by: range.lowerBound) }
    guard encoding.isInProtobuf else { throw TextError(.protobufType(text, nil), range) }
    return encoding
  }
}
