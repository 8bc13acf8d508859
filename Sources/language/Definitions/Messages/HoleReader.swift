import DeviceModel
import Framing

/// Reads one hole.
struct HoleReader {
  let hole: TemplateText.Hole
  let isInline: Bool
  /// Whether the template is text.
  var isText = false
  /// The definition's own.
  let checksums: [Checksum]

  func mistake(_ mistake: Mistake) -> TextError { TextError(mistake, hole.nameRange) }

  /// A hole with a type: a field, or a length that is computed.
  func typed() throws(TextError) -> TemplateNode.Kind {
    if !isInline { try refuseHabits() }
    if let protobuf = try namedProtobuf() { return protobuf }
    let encoding = try hole.fieldEncoding()
    if let (measure, adding) = try measure() {
      guard encoding.size != nil || encoding.endsItself, encoding.valueType == .integer else {
        throw TextError(.wrongLengthType(hole.encoding ?? ""), hole.encodingRange)
      }
      return .length(
        TemplateNode.Length(measure: measure, adding: adding, encoding: encoding, type: hole.encoding ?? ""))
    }
    return .field(try field(hole.name, at: hole.nameRange, encoding, hole.encoding ?? ""))
  }

  /// Refuses `{u8: month}`, `{check: xor8}` and `{data: bytes(n)}`.
  private func refuseHabits() throws(TextError) {
    let type = (hole.encoding ?? "").prefix { $0 != "(" }.trimmed
    if ["bytes", "text", "hexbytes"].contains(type), let size = TemplateCall(hole.encoding ?? "")?.arguments,
      size.count == 1, Identifier.isValid(size[0]), size != ["lower"]
    {
      throw TextError(.fieldAsSize(size[0], of: hole.name, type: type), hole.encodingRange)
    }
    guard !FieldEncoding.names.contains(type) else { return }
    if Checksum.named(type, or: checksums) != nil {
      throw TextError(.checksumAsType(hole.encoding ?? ""), hole.encodingRange)
    }
    if FieldEncoding.names.contains(hole.name), Identifier.isValid(type) {
      throw TextError(.typeBeforeName(hole.name, name: type), hole.range)
    }
  }

  /// Refuses `{month u8}` and `{month, u8}`.
  private func refuseMissingColon() throws(TextError) {
    let words = hole.name.split { " ,=;/|".contains($0) }.map(String.init)
    guard words.count == 2, Identifier.isValid(words[0]), (try? FieldEncoding(words[1])) != nil else {
      return
    }
    throw mistake(.noColon(name: words[0], type: words[1]))
  }

  func field(
    _ name: String, at range: Range<Int>, _ encoding: FieldEncoding?, _ type: String = ""
  ) throws(TextError) -> TemplateNode.Field {
    guard isInline || Identifier.isValid(name) else {
      throw TextError(.notName(name), range)
    }
    return TemplateNode.Field(name: name, nameRange: range, encoding: encoding, type: type)
  }

  /// A hole without a type: a part that needs none, or, in an inline template, a value in its text form.
  func untyped() throws(TextError) -> TemplateHole {
    let word = hole.name.prefix { $0 != " " && $0 != "(" }
    // Among expressions it may be a name.
    if isInline, !isPart(word) { return .part(try checksumOrExpression()) }
    switch word {
    case "maybe" where hole.name == "maybe": return .begin(.maybe)
    case "end" where hole.name == "end": return .end
    case "if" where hole.name.hasPrefix("if "):
      return .begin(.conditional(on: hole.name.dropFirst(3).trimmed))
    case "repeat": return .begin(try repeated())
    case "pad": return .part(try pad())
    case "skip": return .part(try skip())
    case "bits", "bitsle": return .part(try bits())
    case "protobuf": return .part(try protobuf())
    default: return .part(try checksumOrExpression())
    }
  }

  /// Whether a word begins a part that cannot be an expression, as in `pad(15)` or `repeat items`.
  private func isPart(_ word: Substring) -> Bool {
    let rest = hole.name[word.endIndex...]
    return switch word {
    case "pad", "skip", "bits", "bitsle", "protobuf": rest.trimmed.first == "("
    case "if", "repeat": rest.first == " " && rest.trimmed.first?.isLetter == true
    default: false
    }
  }

  private func checksumOrExpression() throws(TextError) -> TemplateNode.Kind {
    let call = TemplateCall(hole.name)
    if let checksum = Checksum.named(call?.name ?? hole.name.prefix { $0 != "(" }.trimmed, or: checksums) {
      if let call, let (from, through) = coverage(call.arguments) {
        return .checksum(checksum, from: from, through: through)
      }
      // Among expressions it may be the function of that name.
      guard isInline, call?.arguments.first.flatMap(TemplateNumber.parse) == nil else {
        throw mistake(.wrongChecksumArguments)
      }
    }
    if isInline { return .field(try field(hole.name, at: hole.nameRange, nil)) }
    try refuseMissingColon()
    let name = hole.name.prefix { $0 != "(" }.trimmed
    let known = Checksum.allNames + Checksum.allNames(of: checksums) + Self.words
    let isField = Identifier.isValid(hole.name) && Suggestion.nearest(to: name, in: known) == nil
    if isField, !Mistake.wordsForChecksums.contains(name.lowercased()) {
      throw mistake(.untypedField(name, inText: isText))
    }
    throw mistake(.unknownChecksum(name, known: known))
  }

  private static let wordsWithArguments = ["if", "repeat", "pad", "skip", "bits", "bitsle", "protobuf"]
  static let words = ["maybe", "end"] + wordsWithArguments

  /// The arguments of a checksum.
  private func coverage(_ arguments: [String]) -> (from: Int, through: Int?)? {
    guard let first = arguments.first else { return (0, nil) }
    guard let from = TemplateNumber.parse(first) else { return nil }
    guard arguments.count > 1 else { return (from, nil) }
    guard arguments.count == 2, let through = TemplateNumber.parse(arguments[1]) else { return nil }
    return (from, through)
  }
}

extension HoleReader {
  fileprivate func repeated() throws(TextError) -> TemplateHole.Block {
    guard let call = TemplateCall(hole.name.dropFirst("repeat".count).trimmed), Identifier.isValid(call.name)
    else {
      throw mistake(.namelessRepetition)
    }
    guard let argument = call.arguments.first else {
      return .repeated(call.name, rows: 0...MessageTemplate.maximumSize)
    }
    guard call.arguments.count == 1, let rows = try TemplateNumber.bounds(argument, hole.nameRange),
      (1...MessageTemplate.maximumSize).contains(rows.upperBound)
    else {
      throw mistake(.wrongRowCount(of: call.name))
    }
    return .repeated(call.name, rows: rows)
  }

  fileprivate func pad() throws(TextError) -> TemplateNode.Kind {
    let arguments = TemplateCall(hole.name)?.arguments ?? []
    guard (1...2).contains(arguments.count), let size = size(arguments[0]),
      let byte = arguments.count == 1 ? 0 : HexLiteral.byte(arguments[1])
    else {
      throw mistake(.wrongPadArguments)
    }
    return .pad(to: size, with: byte)
  }

  fileprivate func skip() throws(TextError) -> TemplateNode.Kind {
    guard let arguments = TemplateCall(hole.name)?.arguments, arguments.count == 1,
      let size = size(arguments[0])
    else { throw mistake(.wrongSkipArguments) }
    return .skip(size)
  }

  fileprivate func size(_ text: String) -> Int? {
    TemplateNumber.parse(text).flatMap { (1...MessageTemplate.maximumSize).contains($0) ? $0 : nil }
  }
}
