import DeviceModel
import Framing

/// Reads one hole.
struct HoleReader {
  let hole: TemplateText.Hole
  let isInline: Bool

  func mistake(_ mistake: TemplateMistake) -> TextError { TextError(mistake, hole.nameRange) }

  /// A hole with a type: a field, or a length that is computed.
  func typed() throws(TextError) -> TemplateNode.Kind {
    let encoding = try hole.fieldEncoding()
    if let (measure, adding) = try measure() {
      guard encoding.size != nil, encoding.valueType == .integer else {
        throw TextError(TemplateMistake.wrongLengthType(hole.encoding ?? ""), hole.encodingRange)
      }
      return .length(
        TemplateNode.Length(measure: measure, adding: adding, encoding: encoding, type: hole.encoding ?? ""))
    }
    return .field(try field(hole.name, at: hole.nameRange, encoding, hole.encoding ?? ""))
  }

  func field(
    _ name: String, at range: Range<Int>, _ encoding: FieldEncoding?, _ type: String = ""
  ) throws(TextError) -> TemplateNode.Field {
    guard isInline || Identifier.isValid(name) else {
      throw TextError(NameMistake.notName(name), range)
    }
    return TemplateNode.Field(name: name, nameRange: range, encoding: encoding, type: type)
  }

  /// A hole without a type: a part that needs none, or in an inline template a value as people write it.
  func untyped() throws(TextError) -> TemplateHole {
    let word = hole.name.prefix { $0 != " " && $0 != "(" }
    // Among expressions it may be a name.
    if isInline, word == hole.name, Self.wordsWithArguments.contains(String(word)) {
      return .part(try checksumOrExpression())
    }
    switch word {
    case "maybe" where hole.name == "maybe": return .begin(.maybe)
    case "end" where hole.name == "end": return .end
    case "if" where hole.name.hasPrefix("if "):
      return .begin(.conditional(on: hole.name.dropFirst(3).trimmed))
    case "repeat": return .begin(try repeated())
    case "pad": return .part(try pad())
    case "skip": return .part(try skip())
    case "bits", "bitsle": return .part(try bits())
    default: return .part(try checksumOrExpression())
    }
  }

  private func checksumOrExpression() throws(TextError) -> TemplateNode.Kind {
    let call = TemplateCall(hole.name)
    if let checksum = Checksum.named(call?.name ?? hole.name.prefix { $0 != "(" }.trimmed) {
      guard let call, let (from, through) = coverage(call.arguments) else {
        throw mistake(.wrongChecksumArguments)
      }
      return .checksum(checksum, from: from, through: through)
    }
    if isInline { return .field(try field(hole.name, at: hole.nameRange, nil)) }
    let name = hole.name.prefix { $0 != "(" }.trimmed
    throw mistake(.unknownChecksum(name, known: Checksum.allNames + Self.words))
  }

  private static let wordsWithArguments = ["if", "repeat", "pad", "skip", "bits", "bitsle"]
  private static let words = ["maybe", "end"] + wordsWithArguments

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
