import DeviceModel
import Framing

/// A mistake in a template. Cases carry facts; ``sentences`` holds the words.
enum TemplateMistake: Mistake {
  // The text.
  case empty
  case tooManyCharacters(most: Int)
  case tooManyHoles(most: Int)
  /// - Parameter habit: the notation that the author probably used.
  case badHex(HexText.ParseError, habit: HexHabit?)
  case openHole
  case emptyHole
  case closingBraceAlone

  // Blocks.
  case openBlock
  case endWithoutBlock
  case blockInBlock
  /// Repeated parts in repeated parts.
  case deepRepetition(most: Int)
  /// The template has no name, so that its holes hold expressions.
  case blockAmongExpressions

  // Fields and their types.
  case doubledField(String)
  case unknownType(String, known: [String])
  case untypedField(String)
  case checksumAsType(String)
  case typeBeforeName(String, name: String)
  /// Something other than a colon separates a field from its type.
  case noColon(name: String, type: String)
  case wrongTypeArguments(FieldEncoding.Form, of: String)
  case reversedBounds(least: Int, most: Int)
  /// Two numbers of a field have one name.
  case doubledNumberName(String)
  /// A number of a field has two names.
  case doubledNumber(Int64, String, String)
  /// A named number does not fit the field's type.
  case unfitNumber(Int64, type: String, ClosedRange<Int64>)
  case tooManyNames(most: Int)

  // Other holes.
  /// Neither a checksum nor anything else that needs no type.
  case unknownChecksum(String, known: [String])
  case wrongChecksumArguments
  /// The checksum is meant to cover bytes after it.
  case uncoveredBytes(bytesBefore: Int)
  case wrongPadArguments
  case padInRow
  case shortPad(to: Int, bytesBefore: Int)
  case wrongSkipArguments
  case wrongBits
  /// The bits do not make whole bytes.
  case unevenBits(Int)
  case tooManyBits(Int)
  case overflowingBits(Int, bits: Int)

  // Optional and repeated parts.
  case emptyOptionalPart
  case wrongCondition(String, ConditionProblem, known: [String])
  case namelessRepetition
  case wrongRowCount(of: String)
  case repetitionWithoutField(String)
  case emptyRepeatedPart

  // Lengths and sizes.
  case wrongMeasure
  /// A field of this type cannot hold a length.
  case wrongLengthType(String)
  case unknownMeasuredField(String, known: [String])
  case measuredFieldInOtherBlock(String)
  case countOfUnrepeated(String, lengthType: String)
  case messageSizeInRow
  /// No number of the type is the length, which is one of `sizes` plus `added`.
  case unsayableLength(sizes: ClosedRange<Int>, added: Int, type: String, range: ClosedRange<Int64>)
  case tooLong(atLeast: Int)
  /// No reader could find where one part ends and the other begins.
  case noBorder(BorderChecker.Part, BorderChecker.Part)

  // Names.
  /// A word of templates hides a name with another meaning.
  case hiddenName(String, type: String?)
  /// The name of a field is a word of expressions.
  case wordAsField(String)

  // Expressions in holes.
  case wrongValueType(ValueType, expression: String, fieldType: String, expected: ValueType)
  /// A value whose field type must be given.
  case untypedValue(ValueType, expression: String)

  /// Why a block cannot depend on a name.
  enum ConditionProblem {
    case unknown, notANumber
    /// The field comes after the block.
    case late
  }
}

extension TemplateMistake {
  private static let most = MessageTemplate.maximumSize

  var sentences: (message: String, hint: String?) {
    switch self {
    case .empty: ("the message is empty", nil)
    case .tooManyCharacters(let most): ("the template has more than \(most) characters", nil)
    case .tooManyHoles(let most): ("the template has more than \(most) holes", nil)
    case .badHex(let error, let habit):
      (error.description, habit?.hint ?? "bytes are written in hex: A5 06 83")
    case .openHole: ("'{' has no closing '}'", nil)
    case .emptyHole: ("nothing between the braces", nil)
    case .closingBraceAlone: ("'}' without '{'", "write '}}' for a brace")

    case .openBlock: ("the block has no end", "it ends with {end}")
    case .endWithoutBlock:
      ("'end' without a block", "a block begins with {maybe}, {if NAME} or {repeat NAME}")
    case .blockInBlock: ("a block inside a block", "only {repeat …} is allowed inside {maybe} and {if …}")
    case .deepRepetition(let most): ("repeated parts are nested too deep", "at most \(most) are possible")
    case .blockAmongExpressions:
      ("a block in a message without a name", "write it under 'messages', where its fields have names")

    case .doubledField(let name): ("a second field '\(name)'", nil)
    case .unknownType(let word, let known):
      (
        "unknown field type '\(word)'",
        Self.typesElsewhere[word.lowercased()] ?? Self.correction(of: word, in: known)
          ?? "u8, i8, u16le, u16be, …, f32le, …, sfloat, float, bcd, dec, hex, text, bytes, hexbytes, mac"
      )
    case .checksumAsType(let name): ("a checksum has no name", "write {\(name)}")
    case .typeBeforeName(let type, let name):
      ("a field's name comes before its type", "write {\(name): \(type)}")
    case .noColon(let name, let type):
      ("a colon separates a field from its type", "write {\(name): \(type)}")
    case .wrongTypeArguments(let form, let word): (form.expectation(word), form.example)
    case .reversedBounds(let least, let most):
      ("\(least) is more than \(most)", "the smaller one comes first: \(most)..\(least)")
    case .doubledNumberName(let name): ("a second number has the name '\(name)'", nil)
    case .doubledNumber(let number, let first, let second):
      ("'\(first)' and '\(second)' are both \(number)", "a number has one name")
    case .unfitNumber(let number, let type, let range):
      ("\(number) does not fit '\(type)'", "it holds \(range.lowerBound) to \(range.upperBound)")
    case .tooManyNames(let most): ("the field has more than \(most) names", nil)

    case .unknownChecksum(let name, _) where Self.wordsForChecksums.contains(name.lowercased()):
      ("which checksum?", "for example {sum8}, {xor8}, {crc8}, {crc16-modbus} or {crc16-ccitt-false}")
    case .unknownChecksum(let name, let known):
      (
        "unknown checksum '\(name)'",
        Self.correction(of: name, in: known)
          ?? "a field is written {\(Identifier.isValid(name) ? name : "name"): u8}"
      )
    case .untypedField(let name): ("'\(name)' has no type", "a field is written {\(name): u8}")
    case .wrongChecksumArguments:
      ("a checksum covers from one index to another", "for example {sum8(1)} or {sum8(1, 6)}")
    case .uncoveredBytes(let count):
      ("a checksum covers bytes before it", "there are \(count) before it, counted from 0")
    case .wrongPadArguments:
      (
        "'pad' takes the size to fill up to and, optionally, the byte to fill with",
        "for example {pad(15)} or {pad(15, FF)}"
      )
    case .padInRow: ("'pad' fills up the message, not a row", nil)
    case .shortPad(let size, let count):
      ("the message already has more than \(size) bytes", "there are \(count) before it")
    case .wrongSkipArguments: ("expected a number of bytes", "for example {skip(3)}")
    case .wrongBits:
      ("expected names with their numbers of bits", "for example {bits(stable: 1, unit: 2, 0: 5)}")
    case .unevenBits(let count):
      ("\(count) bits do not make whole bytes", "fill them up, as in {bits(stable: 1, unit: 2, 0: 5)}")
    case .tooManyBits(let count):
      (
        "\(count) bits are too many for one hole",
        "a hole holds at most \(BitLayout.mostBits); split them at a byte boundary"
      )
    case .overflowingBits(let number, let count):
      (
        "\(number) does not fit into \(count) bits",
        "the largest number that fits is \(UInt64.max >> (64 - UInt64(count)))"
      )

    case .emptyOptionalPart: ("an optional part needs at least one byte", nil)
    case .wrongCondition(let name, let problem, let known):
      (problem.message(about: name), Suggestion.hint(for: name, in: known))
    case .namelessRepetition:
      ("a repeated part needs a name", "for example {repeat items} or {repeat items(4)}")
    case .wrongRowCount(let name):
      (
        "a part can repeat 1 to \(Self.most) times",
        "for example {repeat \(name)(4)} or {repeat \(name)(0..4)}"
      )
    case .repetitionWithoutField(let name):
      ("a repeated part needs a field", "for example {repeat \(name)} {value: u8} {end}")
    case .emptyRepeatedPart: ("a repeated part needs at least one byte", nil)

    case .wrongMeasure:
      ("expected the size of something", "for example {size: u8}, {size(data): u16le} or {size - 2: u8}")
    case .wrongLengthType(let type):
      ("'\(type)' cannot hold a length", "a number of fixed size: u8, u16le, …, bcd, dec(3), hex(4)")
    case .unknownMeasuredField(let name, let known):
      ("no field '\(name)' to measure", Suggestion.hint(for: name, in: known))
    case .measuredFieldInOtherBlock(let name):
      ("'\(name)' is not in the same block as its length", "put both into the same block")
    case .countOfUnrepeated(let name, let type):
      ("'\(name)' is not repeated", "its bytes are {size(\(name)): \(type)}")
    case .messageSizeInRow: ("a repeated part cannot contain the size of the message", nil)
    case .unsayableLength(let sizes, let added, let type, let range):
      (
        "'\(type)' cannot hold this length",
        "\(Self.phrase(sizes, with: added)); the type holds \(range.lowerBound) to \(range.upperBound)"
      )
    case .tooLong(let size): ("the message has at least \(size) bytes", "at most \(Self.most) are possible")
    case .noBorder(let part, let next):
      (
        "a receiver cannot tell where \(part.phrase) ends and \(next.phrase(after: part)) begins",
        "give one of them a size, or put bytes between them"
      )

    case .hiddenName("size", let type):
      ("'size' is the size of the bytes here, not your 'size'", "for yours, write {(size): \(type ?? "u8")}")
    case .hiddenName(let name, _):
      ("'\(name)' is the checksum here, not your '\(name)'", "for yours, write {(\(name))}")
    case .wordAsField(let name):
      ("no expression can refer to a field named '\(name)'", "choose another name")

    case .wrongValueType(let type, let expression, let fieldType, let expected):
      ("'\(fieldType)' takes \(expected.phrase), but '\(expression)' is \(type.phrase)", nil)
    case .untypedValue(let type, let expression):
      ("\(type.phrase) needs a type to become bytes", "as in {\(expression): u8}")
    }
  }

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
  static func checksumHint(for text: String) -> String? { correction(of: text, in: Checksum.allNames) }

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

extension TemplateMistake.ConditionProblem {
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
    case .optional: "an optional part"
    }
  }

  fileprivate func phrase(after part: Self) -> String { self == part ? "the next one" : phrase }
}

extension FieldEncoding.Form {
  private static let most = MessageTemplate.maximumSize

  fileprivate func expectation(_ word: String) -> String {
    switch self {
    case .integer: "'\(word)' takes names with their numbers, or nothing"
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
