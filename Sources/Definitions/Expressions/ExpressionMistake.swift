import Bluetooth
import DeviceModel

/// A mistake in the text of an expression. Cases carry facts; ``sentences`` holds the words.
enum ExpressionMistake: Mistake {
  // The text.
  case tooManyCharacters(most: Int)
  case notANumber(String)
  /// A text in quotes has no end.
  case openQuotation(Unicode.Scalar)
  case unexpectedCharacter(Unicode.Scalar)
  /// Bytes in the notation of templates.
  case bareBytes(String)
  case unexpectedToken(ExpressionLexer.Token, expected: ExpectedSyntax)
  /// There is a space between a duration's number and its unit.
  case spacedDuration(String)
  case nestedTooDeep
  /// The chain of its operations is too long.
  case tooLong
  /// It has too many parts once its names are expanded.
  case tooLarge

  // Names.
  case unknownName(String, known: [String])
  /// A word next to a text is not a name.
  case textWithoutQuotes(String)
  /// One of the messages that a rule waits for lacks the field.
  ///
  /// - Parameters:
  ///   - lacking: the name of that message; empty: it has none.
  ///   - number: its number in the list.
  case fieldOfSome(String, lacking: String, number: Int)
  /// Two of the messages have the field with different types; a message may have no name.
  case fieldOfTypes(String, FieldType, FieldType)
  /// An unknown name that begins with a known one and a hyphen.
  case hyphenAfterName(String)
  /// A variable that each central has for itself, at a place that is the same for all centrals.
  case noCentral(String)
  /// A value of a link, where there cannot be one.
  case noLink(String)
  /// Only some rules have this value.
  case unavailable(KnownValue)
  /// The mistake is in the definition of the name, and is reported there.
  case brokenName(String)
  case unknownState(String, known: [String])
  case unknownOrigin(String, known: [String])
  /// The event never has a reason with this name.
  case unknownReason(String, known: [String], example: String)
  case unknownPHY(String)
  /// A field whose numbers have names is compared with another text.
  case unknownNumberName(String, known: [String])
  case notNotifying(String, known: [String])
  /// No characteristic or descriptor has this name.
  case unknownAttribute(String, known: [String])

  // Types and arguments.
  case wrongType(ValueType, expected: ExpectedType)
  case wrongOperands(Expression.BinaryOperator, ValueType, ValueType)
  case unknownFunction(String, known: [String])
  case wrongArguments(of: Expression.Function)
  case wrongArgumentsOfIf
  case wrongArgumentsOfRandom
  case wrongArgumentsOfSubscribed(known: [String])
  case wrongArgumentsOfHandle(known: [String])
  /// The function converts a number to bytes or reads one, like `u16le`.
  case wrongArgumentsOfNumber(String)
  /// It reads a number from bytes, but the index is missing.
  case numberWithoutIndex(String)
  case wrongArgumentsOfChecksum(String)
  /// The name of the checksum ends in a byte order.
  case orderOfChecksum(String, width: Int)
  case wrongArgumentsOfSetting(Expression.SettingQuestion)
  case unknownSetting(String, known: [String])
  /// An operation on constants has no value.
  case noValue(EvaluationError)

  // Tables and groups.
  case tableAsValue(String, keys: [String])
  case notATable(known: [String])
  case tableWithoutKey(String)
  case wrongKey(table: String, keys: [String])
  case tableRowAsValue
  case groupRowAsValue
  case unknownGroupField(String, known: [String])
  case wrongIndex

  /// The syntax that is expected at a place of the text.
  enum ExpectedSyntax {
    case value, name, operatorOrEnd
    case closing(String)
    case commaOrClosing(String)
  }

  enum ExpectedType {
    case type(ValueType)
    /// The type of the first of the two values of `if`.
    case typeOfFirstCase(ValueType)
    case number
    case group
  }
}

extension ExpressionMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .tooManyCharacters(let most):
      ("the expression has more than \(most) characters", "'values' gives names to parts of it")
    case .notANumber(let text):
      (
        "'\(text)' is not a number",
        DurationText.correction(of: text).map { "write \($0)" } ?? "write 17, 0x11, 1.5 or 200ms"
      )
    case .openQuotation(let quote): ("the text has no closing \(quote)", nil)
    case .unexpectedCharacter(let character):
      ("unexpected '\(character)' in an expression", Self.hints[character])
    case .bareBytes(let text): ("'\(text)' is not an expression", "bytes are written bytes('\(text)')")
    case .unexpectedToken(let token, let expected):
      ("expected \(expected.phrase), found \(token.phrase)", expected.hint(found: token))
    case .spacedDuration(let text): ("a duration has no space in it", "write \(text)")
    case .nestedTooDeep: ("the expression is nested too deep", nil)
    case .tooLong: ("the expression is too long", nil)
    case .tooLarge:
      ("with its names expanded, the expression is too large", "store a part of it in a variable")

    case .unknownName(let name, let known): ("unknown name '\(name)'", Self.hint(forName: name, known))
    case .textWithoutQuotes(let word): ("unknown name '\(word)'", "if it is text, quote it: '\(word)'")
    case .fieldOfSome(let name, let message, let number):
      (
        "\(message.isEmpty ? "the message number \(number)" : "'\(message)'") has no field '\(name)'",
        Self.severalMessages
      )
    case .fieldOfTypes(let name, let first, let other):
      ("'\(name)' is \(first.phrase), and \(other.phrase)", Self.severalMessages)
    case .hyphenAfterName(let name): ("unknown name '\(name)'", "to subtract, put spaces around '-'")
    case .noCentral(let name):
      ("each central has its own '\(name)', but there is no central here", "only rules can use it")
    case .noLink(let name):
      ("no central is connected when the device starts, so there is no '\(name)'", "wait for 'connect'")
    case .unavailable(let known): ("there is no '\(known.rawValue)' here", known.home)
    case .brokenName(let name): ("the definition of '\(name)' has a mistake", nil)
    case .unknownState(let name, let known):
      (
        "no state '\(name)'",
        known.isEmpty ? "declare it: states: [\(name)]" : Suggestion.hint(for: name, in: known)
      )
    case .unknownOrigin(let name, let known):
      ("nothing comes from '\(name)' here", Suggestion.hint(for: name, in: known))
    case .unknownPHY(let name): ("unknown PHY '\(name)'", Suggestion.hint(for: name, in: PHY.words))
    case .unknownReason(let name, let known, let example):
      (
        "unknown reason '\(name)'",
        Suggestion.hint(for: name, in: known)
          ?? "such as '\(example)', or the code of one without a name, as in '0x2E'"
      )
    case .unknownNumberName(let name, let known):
      ("the field is never '\(name)'", Suggestion.hint(for: name, in: known))
    case .notNotifying(let id, let known):
      ("no characteristic '\(id)' notifies or indicates", Suggestion.hint(for: id, in: known))

    case .unknownAttribute(let name, let known):
      ("the device has no attribute '\(name)'", Suggestion.hint(for: name, in: known))

    case .wrongType(let type, let expected): ("expected \(expected.phrase), found \(type.phrase)", nil)
    case .wrongOperands(let op, let left, let right):
      (
        "'\(op.rawValue)' does not apply to \(left.phrase) and \(right.phrase)",
        Self.hint(for: op, left, right)
      )
    case .unknownFunction(let name, let known):
      ("unknown function '\(name)'", ForeignFunction.hint(for: name) ?? Suggestion.hint(for: name, in: known))
    case .wrongArguments(let function): ("'\(function.rawValue)' takes \(function.usage)", nil)
    case .wrongArgumentsOfIf: ("'if' takes a condition and two values", nil)
    case .wrongArgumentsOfRandom: ("'random' takes the least and the greatest number", nil)
    case .wrongArgumentsOfSubscribed(let known):
      ("'subscribed' takes the id of a characteristic", Suggestion.hint(for: "", in: known))
    case .wrongArgumentsOfHandle(let known):
      ("'handle' takes the id of an attribute", Suggestion.hint(for: "", in: known))
    case .wrongArgumentsOfNumber(let name): ("'\(name)' takes one number, or bytes and an index", nil)
    case .numberWithoutIndex(let name):
      ("expected an integer, found bytes", "to read the number at their start: \(name)(bytes, 0)")
    case .wrongArgumentsOfChecksum(let name):
      ("'\(name)' takes bytes and, optionally, the checksum of the bytes before them", nil)
    case .orderOfChecksum(let name, let width):
      (
        "the checksum is a number here, without a byte order",
        "its bytes: u\(8 * width)\(name.suffix(2).lowercased())(\(name.dropLast(3))(…))"
      )
    case .wrongArgumentsOfSetting(let question):
      (
        "'\(question.rawValue)' takes the name of a setting" + (question == .takes ? " and a value" : ""),
        question == .takes ? "both are texts" : "it is a text"
      )
    case .unknownSetting(let name, let known):
      ("no setting '\(name)'", Suggestion.hint(for: name, in: known))
    case .noValue(let error): (error.description, nil)

    case .tableAsValue(let name, let keys):
      (
        "'\(name)' is a table, not a value",
        keys.isEmpty
          ? "\(name).size is the number of its rows"
          : "look up a cell: \(name)[\(keys.joined(separator: ", "))].COLUMN"
      )
    case .notATable(let known): ("only a data table has rows", Suggestion.hint(for: "", in: known))
    case .tableWithoutKey(let name): ("'\(name)' has no key", "add 'key: [COLUMN]' to it")
    case .wrongKey(let table, let keys): ("'\(table)' is looked up by \(keys.joined(separator: ", "))", nil)
    case .tableRowAsValue: ("a row is not a value", "add '.' and a column")
    case .groupRowAsValue: ("a row is not a value", "add '.' and a field")
    case .unknownGroupField(let field, let known):
      ("the group has no field '\(field)'", Suggestion.hint(for: field, in: known))
    case .wrongIndex: ("expected one index, counted from 0", nil)
    }
  }
}

extension ExpressionMistake {
  /// Hints for characters with a meaning in other languages.
  private static let hints: [Unicode.Scalar: String] = {
    var hints: [Unicode.Scalar: String] = [
      "=": "to compare, write '=='", "!": "write 'not'", "?": "write if(condition, a, b)",
      "{": noBraces, "}": noBraces, "$": "write the name alone", "@": "write the name alone",
      "≤": "write <=", "≥": "write >=", "≠": "write !=",
    ]
    for quote in "“”‘’`´„".unicodeScalars { hints[quote] = "quote text with ' or \"" }
    return hints
  }()

  private static func hint(for op: Expression.BinaryOperator, _ left: ValueType, _ right: ValueType)
    -> String?
  {
    guard left == .text && right.isNumber || left.isNumber && right == .text else { return nil }
    return op == .add ? "text(…) converts a number to text" : "number(…) converts text to a number"
  }

  private static let noBraces = "braces are for templates; names in an expression need none"

  private static func hint(forName name: String, _ known: [String]) -> String? {
    if name == "size" { return "{size: …} is not a field; frame.size is the size of a received frame" }
    if let word = BooleanText.correction(of: name) { return "write \(word)" }
    if let near = Suggestion.nearest(to: name, in: known) { return "did you mean '\(near)'?" }
    let isHex = name.count.isMultiple(of: 2) && name.allSatisfy(\.isHexDigit)
    return isHex
      ? "a number is written 0x\(name), bytes are bytes('\(name)')" : Suggestion.hint(for: name, in: known)
  }

  private static let severalMessages =
    "a rule for several messages can use only the fields that all of them share"

  /// The type of a field in one message, which may have no name.
  struct FieldType {
    var type: ValueType
    var message: String

    fileprivate var phrase: String {
      "\(type.phrase) in \(message.isEmpty ? "a message without a name" : "'\(message)'")"
    }
  }
}

extension ExpressionMistake.ExpectedSyntax {
  fileprivate var phrase: String {
    switch self {
    case .value: "a value"
    case .name: "a name"
    case .operatorOrEnd: "an operator or the end"
    case .closing(let close): "'\(close)'"
    case .commaOrClosing(let close): "',' or '\(close)'"
    }
  }

  fileprivate func hint(found token: ExpressionLexer.Token) -> String? {
    switch (self, token) {
    case (.commaOrClosing, .end): "in { … } and [ … ] a comma ends a value: quote it"
    case (_, .symbol("&&")): "write 'and'"
    case (_, .symbol("||")): "write 'or'"
    case (.operatorOrEnd, .name("mod")): "write '%'"
    case (.operatorOrEnd, .name("div")): "write '//'"
    default: nil
    }
  }
}

extension ExpressionMistake.ExpectedType {
  fileprivate var phrase: String {
    switch self {
    case .type(let type): type.phrase
    case .typeOfFirstCase(let type): "\(type.phrase) as in the first case"
    case .number: "a number"
    case .group: "a group"
    }
  }
}

extension ExpressionLexer.Token {
  fileprivate var phrase: String {
    switch self {
    case .integer(let n): "'\(n)'"
    case .decimal(let n): "'\(n)'"
    case .text(let text): "'\(text)'"
    case .name(let name): "'\(name)'"
    case .symbol(let symbol): "'\(symbol)'"
    case .end: "the end"
    }
  }
}

extension KnownValue {
  /// The rules that have it, if not all do.
  fileprivate var home: String? {
    switch self {
    case .frame, .origin: "only 'on: { receive: … }' has it"
    case .value: "only 'on: { write: ID }', 'decode' and 'encode' have it"
    case .offset: "only 'on: { read: ID }' and 'on: { write: ID }' have it"
    case .reason: "only events with a reason have it, such as 'on: disconnect'"
    case .interval, .latency, .timeout: "only 'on: parameters' has it"
    case .tx, .rx: "only 'on: phy' has it"
    case .address: "this key decides what it is; 'adapter' is the adapter's address"
    case .adapter: "only 'address' in 'advertisement' has it"
    case .state, .centrals, .central, .encrypted, .mtu, .uptime, .unixTime: nil
    }
  }
}
