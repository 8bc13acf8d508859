import Framing

extension MessageTemplate {
  /// Reads a template: hex bytes, fields `{name: type}`, checksums `{xor8}` or `{sum8(1, 6)}` (first and
  /// last index that it covers; without them, all before it).
  init(name: String, template: String) throws(TextError) {
    self.init(name: name, parts: [], fields: [], source: template)
    for part in try TemplateText(template).parts {
      switch part {
      case .literal(let text, let start): try appendLiteral(text, start: start)
      case .hole(let hole) where hole.encoding != nil: try appendField(hole)
      case .hole(let hole): try appendChecksum(hole)
      }
    }
    if parts.isEmpty { throw TextError(message: "the message is empty", range: 0..<1) }
  }

  private mutating func appendLiteral(_ text: String, start: Int) throws(TextError) {
    let bytes = try HexLiteral.parse(text, start: start)
    if !bytes.isEmpty { parts.append(.literal(bytes)) }
  }

  private mutating func appendField(_ hole: TemplateText.Hole) throws(TextError) {
    guard Identifier.isValid(hole.name) else {
      throw TextError(
        message: "'\(hole.name)' is not a name", range: hole.nameRange, hint: Identifier.rule)
    }
    if fields.contains(where: { $0.name == hole.name }) {
      throw TextError(message: "a second field '\(hole.name)'", range: hole.nameRange)
    }
    let encoding = try hole.fieldEncoding()
    if encoding.size == nil, size == nil {
      throw TextError(
        message: "a second field that takes all bytes that remain", range: hole.range,
        hint: "give it a number of bytes: bytes(8)")
    }
    parts.append(.field(fields.count))
    fields.append(Field(name: hole.name, encoding: encoding))
  }

  private mutating func appendChecksum(_ hole: TemplateText.Hole) throws(TextError) {
    let name = hole.name.prefix { $0 != "(" }.trimmed
    guard let checksum = Checksum.named(name) else {
      let hint =
        Suggestion.nearest(to: name, in: Checksum.allNames).map { "did you mean '\($0)'?" }
        ?? "a field is written {\(Identifier.isValid(name) ? name : "name"): u8}"
      throw TextError(message: "unknown checksum '\(name)'", range: hole.nameRange, hint: hint)
    }
    let (from, through) = try coveredRange(hole)
    parts.append(.checksum(checksum, from: from, through: through))
  }

  private func coveredRange(_ hole: TemplateText.Hole) throws(TextError) -> (Int, Int?) {
    let (from, through) = try coverage(hole)
    let before = size ?? .max
    guard from <= through ?? from, through ?? from < before else {
      throw TextError(
        message: "a checksum covers bytes that stand before it", range: hole.nameRange,
        hint: size.map { "there are \($0) before it, counted from 0" })
    }
    return (from, through)
  }

  /// What stands between the parentheses.
  private func coverage(_ hole: TemplateText.Hole) throws(TextError) -> (from: Int, through: Int?) {
    guard let open = hole.name.firstIndex(of: "(") else { return (0, nil) }
    let arguments = hole.name[open...].dropFirst().dropLast()
    let numbers = arguments.split(separator: ",", omittingEmptySubsequences: false).map { part in
      part.trimmed.allSatisfy(\.isNumber) ? UInt16(part.trimmed).map(Int.init) : nil
    }
    guard hole.name.hasSuffix(")"), let from = numbers[0], let through = numbers.last, let through,
      numbers.count <= 2
    else {
      throw TextError(
        message: "a checksum covers from one index to another", range: hole.nameRange,
        hint: "for example {sum8(1)} or {sum8(1, 6)}")
    }
    return (from, numbers.count == 2 ? through : nil)
  }
}

extension TemplateText.Hole {
  var nameRange: Range<Int> { nameStart..<nameStart + name.unicodeScalars.count }

  /// The encoding behind the colon.
  func fieldEncoding() throws(TextError) -> FieldEncoding {
    do {
      return try FieldEncoding(encoding ?? "")
    } catch {
      throw error.shifted(by: encodingStart)
    }
  }
}

/// The hex digits of a template or value: pairs, with or without spaces.
enum HexLiteral {
  static func parse(_ text: String, start: Int) throws(TextError) -> [UInt8] {
    do {
      return try HexText.parse(text)
    } catch {
      let at = start + error.offset
      throw TextError(
        message: error.description, range: at..<at + 1, hint: "bytes are written in hex: A5 06 83")
    }
  }
}

/// The names that definitions give to their parts.
enum Identifier {
  static let rule = "a name has letters, digits and hyphens, and begins with a letter"
  /// What a JSON Schema says of it.
  static let pattern = "^[A-Za-z][A-Za-z0-9]*(-[A-Za-z][A-Za-z0-9]*)*$"

  static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      part.first.map { $0.isASCII && $0.isLetter } == true
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
  }
}
