import Framing

/// What a hole of a template means.
enum TemplateHole {
  enum Block {
    case maybe
    case conditional(on: String)
    case repeated(String, rows: ClosedRange<Int>)

    var isRepeat: Bool {
      if case .repeated = self { true } else { false }
    }
  }

  case part(TemplateNode.Kind)
  case begin(Block)
  case end

  static func read(_ hole: TemplateText.Hole, isInline: Bool) throws(TextError) -> TemplateHole {
    if hole.encoding != nil { return .part(try HoleReader(hole: hole, isInline: isInline).typed()) }
    return try HoleReader(hole: hole, isInline: isInline).untyped()
  }
}

/// Reads one hole.
struct HoleReader {
  let hole: TemplateText.Hole
  let isInline: Bool

  func mistake(_ message: String, hint: String? = nil) -> TextError {
    TextError(message: message, range: hole.nameRange, hint: hint)
  }

  /// A hole with a type: a field, or a length that is computed.
  func typed() throws(TextError) -> TemplateNode.Kind {
    let encoding = try hole.fieldEncoding()
    if let (measure, adding) = try measure() {
      guard encoding.size != nil, encoding.valueType == .integer else {
        throw TextError(
          message: "'\(hole.encoding ?? "")' holds no length", range: hole.encodingRange,
          hint: "a number of fixed size: u8, u16le, …, bcd, dec(3), hex(4)")
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
      throw TextError(message: "'\(name)' is not a name", range: range, hint: Identifier.rule)
    }
    return TemplateNode.Field(name: name, nameRange: range, encoding: encoding, type: type)
  }

  /// A hole without a type: a part that needs none, or in an inline template a value as people write it.
  func untyped() throws(TextError) -> TemplateHole {
    switch hole.name.prefix(while: { $0 != " " && $0 != "(" }) {
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
        throw mistake(
          "a checksum covers from one index to another", hint: "for example {sum8(1)} or {sum8(1, 6)}")
      }
      return .checksum(checksum, from: from, through: through)
    }
    if isInline { return .field(try field(hole.name, at: hole.nameRange, nil)) }
    let name = hole.name.prefix { $0 != "(" }.trimmed
    let hint =
      Suggestion.nearest(to: name, in: Checksum.allNames + Self.words).map { "did you mean '\($0)'?" }
      ?? "a field is written {\(Identifier.isValid(name) ? name : "name"): u8}"
    throw mistake("unknown checksum '\(name)'", hint: hint)
  }

  private static let words = ["maybe", "if", "repeat", "end", "pad", "skip", "bits", "bitsle"]

  /// What stands between the parentheses of a checksum.
  private func coverage(_ arguments: [String]) -> (from: Int, through: Int?)? {
    guard let first = arguments.first else { return (0, nil) }
    guard let from = TemplateNumber.parse(first) else { return nil }
    guard arguments.count > 1 else { return (from, nil) }
    guard arguments.count == 2, let through = TemplateNumber.parse(arguments[1]) else { return nil }
    return (from, through)
  }
}

extension HoleReader {
  private func repeated() throws(TextError) -> TemplateHole.Block {
    guard let call = TemplateCall(hole.name.dropFirst("repeat".count).trimmed), Identifier.isValid(call.name)
    else {
      throw mistake("a repeated part has a name", hint: "for example {repeat items} or {repeat items(4)}")
    }
    guard let argument = call.arguments.first else {
      return .repeated(call.name, rows: 0...MessageTemplate.maximumSize)
    }
    guard call.arguments.count == 1, let rows = try TemplateNumber.bounds(argument, hole.nameRange),
      (1...MessageTemplate.maximumSize).contains(rows.upperBound)
    else {
      throw mistake(
        "a part is repeated 1 to \(MessageTemplate.maximumSize) times",
        hint: "for example {repeat \(call.name)(4)} or {repeat \(call.name)(0..4)}")
    }
    return .repeated(call.name, rows: rows)
  }

  private func pad() throws(TextError) -> TemplateNode.Kind {
    let arguments = TemplateCall(hole.name)?.arguments ?? []
    guard (1...2).contains(arguments.count), let size = size(arguments[0]),
      let byte = arguments.count == 1 ? 0 : HexLiteral.byte(arguments[1])
    else {
      throw mistake(
        "expected the size that is filled up to, and perhaps the byte that fills",
        hint: "for example {pad(15)} or {pad(15, FF)}")
    }
    return .pad(to: size, with: byte)
  }

  private func skip() throws(TextError) -> TemplateNode.Kind {
    guard let arguments = TemplateCall(hole.name)?.arguments, arguments.count == 1,
      let size = size(arguments[0])
    else { throw mistake("expected a number of bytes", hint: "for example {skip(3)}") }
    return .skip(size)
  }

  private func size(_ text: String) -> Int? {
    TemplateNumber.parse(text).flatMap { (1...MessageTemplate.maximumSize).contains($0) ? $0 : nil }
  }
}

extension HoleReader {
  /// `size`, `size - 2`, `size(data)`, `count(items) + 1`; nil when it is none of these.
  ///
  /// In an inline template only the message itself has a size: `size(…)` is a function of expressions there.
  private func measure() throws(TextError) -> (TemplateNode.Length.Measure, adding: Int)? {
    let word = hole.name.prefix { $0.isLetter }
    guard word == "size" || word == "count" && hole.name.contains("("),
      hole.name == "size" || !Identifier.isValid(hole.name)
    else { return nil }
    var rest = hole.name.dropFirst(word.count).trimmed[...]
    var target: String?
    if rest.first == "(" {
      if isInline { return nil }
      guard let close = rest.firstIndex(of: ")") else { throw notALength }
      target = rest[..<close].dropFirst().trimmed
      rest = rest[close...].dropFirst().trimmed[...]
    }
    guard let adding = adding(rest) else {
      if isInline { return nil }
      throw notALength
    }
    guard let target else { return word == "size" ? (.message, adding) : nil }
    return (word == "size" ? .size(of: target) : .count(of: target), adding)
  }

  private var notALength: TextError {
    mistake(
      "expected the size of something", hint: "for example {size: u8}, {size(data): u16le} or {size - 2: u8}")
  }

  /// `+ 3`, `- 2` or nothing.
  private func adding(_ text: Substring) -> Int? {
    guard let sign = text.first else { return 0 }
    guard sign == "+" || sign == "-",
      let number = TemplateNumber.parse(text.dropFirst().trimmed), number <= MessageTemplate.maximumSize,
      text.count > 1
    else { return nil }
    return sign == "+" ? number : -number
  }
}

extension HoleReader {
  /// `bits(stable: 1, unit: 2, 0: 5)`: the numbers from the most significant bit down.
  private func bits() throws(TextError) -> TemplateNode.Kind {
    let word = hole.name.prefix { $0 != "(" }
    guard hole.name.hasSuffix(")"), word.count < hole.name.count else { throw notBits }
    var parts: [TemplateNode.Bits] = []
    for (text, start) in bitTexts(hole.name.dropFirst(word.count + 1).dropLast()) {
      parts.append(try bit(text, at: hole.nameStart + word.count + 1 + start))
    }
    let count = parts.reduce(0) { $0 + $1.count }
    guard [8, 16, 24, 32].contains(count) else {
      throw mistake("\(count) bits are no whole bytes", hint: "together they must be 8, 16, 24 or 32")
    }
    return .bits(parts, isLittleEndian: word.trimmed == "bitsle")
  }

  private var notBits: TextError {
    mistake("expected names with their numbers of bits", hint: "for example {bits(stable: 1, unit: 2, 0: 5)}")
  }

  /// The parts between commas that stand outside parentheses, with their offsets in scalars.
  private func bitTexts(_ text: Substring) -> [(String, Int)] {
    let scalars = Array(text.unicodeScalars)
    var cuts = [-1]
    var depth = 0
    for (index, scalar) in scalars.enumerated() {
      if scalar == "(" { depth += 1 }
      if scalar == ")" { depth -= 1 }
      if scalar == ",", depth == 0 { cuts.append(index) }
    }
    return zip(cuts, cuts.dropFirst() + [scalars.count]).map { before, end in
      (String(scalars: scalars[before + 1..<end]), before + 1)
    }
  }

  /// `stable: 1`, where a number as a name is the value itself.
  private func bit(_ text: String, at start: Int) throws(TextError) -> TemplateNode.Bits {
    let scalars = Array(text.unicodeScalars)
    guard let colon = TemplateText.lastColon(in: scalars[...]),
      let count = TemplateNumber.parse(String(scalars: scalars[(colon + 1)...]).trimmed),
      (1...32).contains(count)
    else { throw notBits }
    let name = String(scalars: scalars[..<colon]).trimmed
    let nameStart = start + scalars.prefix { $0 == " " }.count
    let range = nameStart..<nameStart + max(1, name.unicodeScalars.count)
    guard let number = IntegerText.parse(name) else {
      return TemplateNode.Bits(
        count: count, content: .field(try field(name, at: range, .bits(count), "bits")))
    }
    guard number >= 0, number < 1 << count else {
      throw TextError(
        message: "\(number) does not fit into \(count) bits", range: range,
        hint: "0 to \((1 << count) - 1) does")
    }
    return TemplateNode.Bits(count: count, content: .fixed(UInt32(number)))
  }
}

extension TemplateText.Hole {
  var encodingRange: Range<Int> { encodingStart..<encodingStart + (encoding ?? "").unicodeScalars.count }

  /// The encoding behind the colon.
  func fieldEncoding() throws(TextError) -> FieldEncoding {
    do {
      return try FieldEncoding(encoding ?? "")
    } catch {
      throw error.shifted(by: encodingStart)
    }
  }
}
