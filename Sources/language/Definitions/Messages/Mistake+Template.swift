import DeviceModel
import Framing

/// Mistakes in a template.
extension Mistake {
  // The text.
  static let emptyMessage = Self("the message is empty")
  static func tooLongTemplate(most: Int) -> Self { Self("the template has more than \(most) characters") }
  static func tooManyHoles(most: Int) -> Self { Self("the template has more than \(most) holes") }
  /// - Parameter habit: the notation that the author probably used.
  static func badHex(_ error: HexText.ParseError, habit: HexHabit?) -> Self {
    Self(error.description, habit?.hint ?? "bytes are written in hex: A5 06 83")
  }
  static let openHole = Self("'{' has no closing '}'")
  static let emptyHole = Self("nothing between the braces")
  static let closingBraceAlone = Self("'}' without '{'", "write '}}' for a brace")

  // Blocks.
  static let openBlock = Self("the block has no end", "it ends with {end}")
  static let endWithoutBlock = Self(
    "'end' without a block", "a block begins with {maybe}, {if NAME} or {repeat NAME}")
  static let blockInBlock = Self(
    "a block inside a block", "only {repeat …} is allowed inside {maybe} and {if …}")
  static func deepRepetition(most: Int) -> Self {
    Self("repeated parts are nested too deep", "at most \(most) are possible")
  }
  static let blockAmongExpressions = Self(
    "a block in a message without a name", "write it under 'messages', where its fields have names")

  // Fields and their types.
  static func doubledField(_ name: String) -> Self { Self("a second field '\(name)'") }
  static func unknownType(_ word: String, known: [String]) -> Self {
    Self(
      "unknown field type '\(word)'",
      typesElsewhere[word.lowercased()] ?? correction(of: word, in: known)
        ?? "u8, i8, u16le, u16be, …, f32le, …, sfloat, float, varint, bcd, dec, hex, text, bytes, hexbytes, mac"
    )
  }
  static func untypedField(_ name: String, inText: Bool) -> Self {
    Self(
      "'\(name)' has no type",
      "a field is written {\(name): \(inText ? "dec}, or {\(name): text}" : "u8}")")
  }
  static func checksumAsType(_ name: String) -> Self { Self("a checksum has no name", "write {\(name)}") }
  static func typeBeforeName(_ type: String, name: String) -> Self {
    Self("a field's name comes before its type", "write {\(name): \(type)}")
  }
  static func fieldAsSize(_ field: String, of name: String, type: String) -> Self {
    Self(
      "the size of '\(name)' cannot be the field '\(field)'",
      "in place of '\(field)', write {size(\(name)): …} with its type, then {\(name): \(type)}")
  }
  static func noColon(name: String, type: String) -> Self {
    Self("a colon separates a field from its type", "write {\(name): \(type)}")
  }
  static func wrongTypeArguments(_ form: FieldEncoding.Form, of word: String) -> Self {
    Self(form.expectation(word), form.example)
  }
  static func reversedBounds(least: Int, most: Int) -> Self {
    Self("\(least) is more than \(most)", "the smaller one comes first: \(most)..\(least)")
  }
  static func doubledNumberName(_ name: String) -> Self { Self("a second number has the name '\(name)'") }
  static func doubledNumber(_ number: Int64, _ first: String, _ second: String) -> Self {
    Self("'\(first)' and '\(second)' are both \(number)", "a number has one name")
  }
  static func unfitNumber(_ number: Int64, type: String, _ range: ClosedRange<Int64>) -> Self {
    Self("\(number) does not fit '\(type)'", "it holds \(range.lowerBound) to \(range.upperBound)")
  }
  static func tooManyNames(most: Int) -> Self { Self("the field has more than \(most) names") }

  // Other holes.
  static func unknownChecksum(_ name: String, known: [String]) -> Self {
    if wordsForChecksums.contains(name.lowercased()) {
      return Self(
        "which checksum?", "for example {sum8}, {xor8}, {crc8}, {crc16-modbus} or {crc16-ccitt-false}")
    }
    return Self(
      "unknown checksum '\(name)'",
      correction(of: name, in: known)
        ?? "a field is written {\(Identifier.isValid(name) ? name : "name"): u8}")
  }
  static let wrongChecksumArguments = Self(
    "a checksum covers from one index to another", "for example {sum8(1)} or {sum8(1, 6)}")
  static func uncoveredBytes(bytesBefore count: Int) -> Self {
    Self("a checksum covers bytes before it", "there are \(count) before it, counted from 0")
  }
  static let wrongPadArguments = Self(
    "'pad' takes the size to fill up to and, optionally, the byte to fill with",
    "for example {pad(15)} or {pad(15, FF)}")
  static let padInRow = Self("'pad' fills up the message, not a row")
  static func shortPad(to size: Int, bytesBefore count: Int) -> Self {
    Self("the message already has more than \(size) bytes", "there are \(count) before it")
  }
  static let padAfterVarintSize = Self(
    "'pad' cannot follow a size of the message as a varint",
    "how many bytes the size takes depends on the padding: give the size a type of fixed size, such as u16le")
  static let wrongSkipArguments = Self("expected a number of bytes", "for example {skip(3)}")
  static let wrongBits = Self(
    "expected names with their numbers of bits", "for example {bits(stable: 1, unit: 2, 0: 5)}")
  static func unevenBits(_ count: Int) -> Self {
    Self("\(count) bits do not make whole bytes", "fill them up, as in {bits(stable: 1, unit: 2, 0: 5)}")
  }
  static func tooManyBits(_ count: Int) -> Self {
    Self(
      "\(count) bits are too many for one hole",
      "a hole holds at most \(BitLayout.mostBits); split them at a byte boundary")
  }
  static func tooManyBitsOfField(_ count: Int) -> Self {
    Self(
      "\(count) bits are too many for one number",
      "a number has at most \(BitLayout.mostBitsOfPart); longer data is {data: bytes(\((count + 7) / 8))}")
  }
  static func overflowingBits(_ number: Int, bits count: Int) -> Self {
    Self(
      "\(number) does not fit into \(count) bits",
      "the largest number that fits is \(UInt64.max >> (64 - UInt64(count)))")
  }

  // Optional and repeated parts.
  static let emptyOptionalPart = Self("an optional part needs at least one byte")
  static func wrongCondition(_ name: String, _ problem: ConditionProblem, known: [String]) -> Self {
    Self(problem.message(about: name), Suggestion.hint(for: name, in: known))
  }
  static let namelessRepetition = Self(
    "a repeated part needs a name", "for example {repeat items} or {repeat items(4)}")
  static func wrongRowCount(of name: String) -> Self {
    Self(
      "a part can repeat 1 to \(most) times",
      "for example {repeat \(name)(4)} or {repeat \(name)(0..4)}")
  }
  static func repetitionWithoutField(_ name: String) -> Self {
    Self("a repeated part needs a field", "for example {repeat \(name)} {value: u8} {end}")
  }
  static let emptyRepeatedPart = Self("a repeated part needs at least one byte")

  // Lengths and sizes.
  static let wrongMeasure = Self(
    "expected the size of something", "for example {size: u8}, {size(data): u16le} or {size - 2: u8}")
  static func wrongLengthType(_ type: String) -> Self {
    Self(
      "'\(type)' cannot hold a length", "u8, u16le, …, varint, or a number of fixed size: bcd, dec(3), hex(4)"
    )
  }
  static func unknownMeasuredField(_ name: String, known: [String]) -> Self {
    Self("no field '\(name)' to measure", Suggestion.hint(for: name, in: known))
  }
  static func measuredFieldInOtherBlock(_ name: String) -> Self {
    Self("'\(name)' is not in the same block as its length", "put both into the same block")
  }
  static func countOfUnrepeated(_ name: String, lengthType type: String) -> Self {
    Self("'\(name)' is not repeated", "its bytes are {size(\(name)): \(type)}")
  }
  static let messageSizeInRow = Self("a repeated part cannot contain the size of the message")
  static func unsayableLength(sizes: ClosedRange<Int>, added: Int, type: String, range: ClosedRange<Int64>)
    -> Self
  {
    Self(
      "'\(type)' cannot hold this length",
      "\(phrase(sizes, with: added)); the type holds \(range.lowerBound) to \(range.upperBound)")
  }
  static func tooLongMessage(atLeast size: Int) -> Self {
    Self("the message has at least \(size) bytes", "at most \(most) are possible")
  }
  static func noBorder(_ part: BorderChecker.Part, _ next: BorderChecker.Part) -> Self {
    Self(
      "a receiver cannot tell where \(part.phrase) ends and \(next.phrase(after: part)) begins",
      "give one of them a size, or put bytes between them")
  }

  // Names.
  static func hiddenName(_ name: String, type: String?) -> Self {
    name == "size"
      ? Self(
        "'size' is the size of the bytes here, not your 'size'",
        "for yours, write {(size): \(type ?? "u8")}")
      : Self("'\(name)' is the checksum here, not your '\(name)'", "for yours, write {(\(name))}")
  }
  static func wordAsField(_ name: String) -> Self {
    Self("no expression can refer to a field named '\(name)'", "choose another name")
  }

  // Expressions in holes.
  static func wrongValueType(_ type: ValueType, expression: String, fieldType: String, expected: ValueType)
    -> Self
  {
    Self("'\(fieldType)' takes \(expected.phrase), but '\(expression)' is \(type.phrase)")
  }
  static func untypedValue(_ type: ValueType, expression: String) -> Self {
    Self("\(type.phrase) needs a type to become bytes", "as in {\(expression): u8}")
  }

  /// Why a block cannot depend on a name.
  enum ConditionProblem {
    case unknown, notANumber
    /// The field comes after the block.
    case late
  }

  private static let most = MessageTemplate.maximumSize

  /// Words that may mean any checksum.
  static let wordsForChecksums: Set<String> = ["checksum", "check", "crc", "cs", "bcc"]

  /// Names of field types in other languages.
  private static let typesElsewhere: [String: String] = {
    var types: [String: String] = [
      "uint8": "write u8", "uint8_t": "write u8", "byte": "write u8", "int8": "write i8",
      "int8_t": "write i8",
      "bool": "write u8: 0 is false", "boolean": "write u8: 0 is false", "char": "write text(1)",
      "string": "write text", "str": "write text", "int": "write i16le, or another width and order",
      "uint": "write u16le, or another width and order", "number": "write u16le, or another width and order",
      "ascii": "write text", "utf8": "write text",
      "leb128": "write varint", "uleb128": "write varint", "vlq": "write varint", "var": "write varint",
      "zigzag": "write varint(signed)", "svarint": "write varint(signed)", "sint": "write varint(signed)",
      "sint32": "write varint(signed)", "sint64": "write varint(signed)",
    ]
    for (words, bits) in [(["f32", "float32", "single"], 32), (["f64", "float64", "double"], 64)] {
      for word in words {
        types[word] = "least significant byte first: f\(bits)le; most significant: f\(bits)be"
      }
    }
    for bits in [16, 24, 32, 48, 64] {
      for (word, letter) in [("uint", "u"), ("int", "i"), ("u", "u"), ("i", "i")] {
        let hint = "least significant byte first: \(letter)\(bits)le; most significant: \(letter)\(bits)be"
        types["\(word)\(bits)"] = hint
        types["\(word)\(bits)_t"] = hint
      }
    }
    return types
  }()

  /// The hint for a hole whose expression is wrong: the author may mean a checksum.
  static func checksumHint(for text: String, own: [Checksum]) -> String? {
    correction(of: text, in: Checksum.allNames + Checksum.allNames(of: own))
  }

  private static func correction(of word: String, in known: [String]) -> String? {
    Suggestion.nearest(to: word, in: known).map { "did you mean '\($0)'?" }
  }

  /// `it is 300`, `with the addition it is 7 to 9`.
  private static func phrase(_ sizes: ClosedRange<Int>, with added: Int) -> String {
    let least = sizes.lowerBound + added
    let most = sizes.upperBound + added
    return "\(added == 0 ? "" : "with the addition ")it is \(least)" + (most > least ? " to \(most)" : "")
  }
}

extension Mistake.ConditionProblem {
  fileprivate func message(about name: String) -> String {
    switch self {
    case .unknown: "there is no field '\(name)' before this block"
    case .notANumber: "'\(name)' is not a number"
    case .late: "'\(name)' comes after this block"
    }
  }
}

extension BorderChecker.Part {
  fileprivate var phrase: String {
    switch self {
    case .named(let name): "'\(name)'"
    case .padding: "the padding"
    case .protobuf: "the message of Protocol Buffers"
    case .optional: "an optional part"
    case .varint(let name): name.map { "'\($0)'" } ?? "the length"
    }
  }

  fileprivate func phrase(after part: Self) -> String { self == part ? "the next one" : phrase }
}

extension FieldEncoding.Form {
  private static let most = MessageTemplate.maximumSize

  fileprivate func expectation(_ word: String) -> String {
    switch self {
    case .integer: "'\(word)' takes names with their numbers, or nothing"
    case .varint: "'varint' takes 'signed', names with their numbers, or nothing"
    case .float: "'\(word)' takes no arguments"
    case .medical(let float):
      "'\(word)' takes an exponent from \(float.exponents.lowerBound) to \(float.exponents.upperBound), or nothing"
    case .mac: "'\(word)' takes nothing, or 'colons', optionally followed by 'lower'"
    case .bcd: "expected a number of bytes from 1 to 4, optionally followed by 'le'"
    case .dec: "expected a number of digits from 1 to 18, optionally followed by 'unsigned'"
    case .hex: "expected a number of digits from 1 to 16, optionally followed by 'lower'"
    case .bytes:
      "expected a number of bytes from 1 to \(Self.most), optionally followed by a fill byte in hex"
    case .hexBytes: "expected a number of bytes from 1 to \(Self.most / 2), optionally followed by 'lower'"
    }
  }

  fileprivate var example: String? {
    switch self {
    case .integer: "for example u8(on: 1, off: 0)"
    case .varint: "for example varint, varint(signed) for zigzag, or varint(on: 1, off: 0)"
    case .float: nil
    case .medical: "for example sfloat(-1): a multiple of 0.1"
    case .mac: "for example mac, or mac(colons) for its text: 4C:32:75:0A:11:9E"
    case .bcd: "for example bcd(2) or bcd(2, le)"
    case .dec: "for example dec(3), with leading zeros, or dec(1..3)"
    case .hex: "for example hex(4) or hex(4, lower)"
    case .bytes(let isText):
      isText
        ? "for example text(8), text(8, 20) or text(1..12)"
        : "for example bytes(15), bytes(15, FF) or bytes(0..15)"
    case .hexBytes: "for example hexbytes(6) or hexbytes(6, lower)"
    }
  }
}
