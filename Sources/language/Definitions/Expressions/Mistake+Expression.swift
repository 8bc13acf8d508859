import Bluetooth
import DeviceModel

/// Mistakes in the text of an expression.
extension Mistake {
  // The text.
  static func tooManyCharactersInExpression(most: Int) -> Self {
    Self("the expression has more than \(most) characters", "'values' gives names to parts of it")
  }
  static func notANumber(_ text: String) -> Self {
    let isHex = text.allSatisfy(\.isHexDigit)
    return Self(
      "'\(text)' is not a number",
      DurationText.correction(of: text).map { "write \($0)\(isHex ? ", or 0x\(text) in hex" : "")" }
        ?? "write 17, 0x11, 1.5 or 200ms")
  }
  static func openQuotation(_ quote: Unicode.Scalar) -> Self { Self("the text has no closing \(quote)") }
  static func foreignOperator(_ text: String, own: String) -> Self {
    Self("unexpected '\(text)' in an expression", "write '\(own)'")
  }
  static func unexpectedCharacter(_ character: Unicode.Scalar) -> Self {
    Self("unexpected '\(character)' in an expression", hints[character])
  }
  static func bareBytes(_ text: String) -> Self {
    Self("'\(text)' is not an expression", "bytes are written bytes('\(text)')")
  }
  static func unexpectedToken(_ token: ExpressionLexer.Token, expected: ExpectedSyntax) -> Self {
    Self("expected \(expected.phrase), found \(token.phrase)", expected.hint(found: token))
  }
  static func spacedDuration(_ text: String) -> Self {
    Self("a duration has no space in it", "write \(text)")
  }
  static let nestedTooDeep = Self("the expression is nested too deep")
  static let tooLongExpression = Self("the expression is too long")
  static let expandedTooLarge = Self(
    "with its names expanded, the expression is too large", "store a part of it in a variable")

  // Names.
  static func unknownName(_ name: String, known: [String]) -> Self {
    Self("unknown name '\(name)'", Self.hint(forName: name, known))
  }
  /// - Parameter onlyName: `bytes` in a checksum, `frame` in a check of whole frames.
  static func unknownNameInChecksum(_ name: String, onlyName: KnownValue) -> Self {
    onlyName == .bytes
      ? Self(
        "a checksum has only the name 'bytes', not '\(name)'",
        "'bytes' are the bytes that it covers, as in sum8(bytes) + 1")
      : Self(
        "a check of whole frames has only the name 'frame', not '\(name)'",
        "'frame' is the whole frame, as in frame[2] == xor8(slice(frame, 3, 100))")
  }
  static func textWithoutQuotes(_ word: String) -> Self {
    Self("unknown name '\(word)'", "if it is text, quote it: '\(word)'")
  }
  /// One of the messages that a rule waits for lacks the field.
  ///
  /// - Parameters:
  ///   - lacking: the name of that message; empty: it has none.
  ///   - number: its number in the list.
  static func fieldOfSome(_ name: String, lacking message: String, number: Int) -> Self {
    Self(
      "\(message.isEmpty ? "the message number \(number)" : "'\(message)'") has no field '\(name)'",
      severalMessages)
  }
  static func fieldOfTypes(_ name: String, _ first: FieldType, _ other: FieldType) -> Self {
    Self("'\(name)' is \(first.phrase), and \(other.phrase)", severalMessages)
  }
  static func hyphenAfterName(_ name: String) -> Self {
    Self("unknown name '\(name)'", "to subtract, put spaces around '-'")
  }
  static func noCentral(_ name: String) -> Self {
    Self(
      "each central has its own '\(name)', but there is no central here",
      "rules can use it, and the framing of layers")
  }
  static func noLink(_ name: String) -> Self {
    Self("no central is connected when the device starts, so there is no '\(name)'", "wait for 'connect'")
  }
  static func unavailable(_ known: KnownValue) -> Self {
    Self("there is no '\(known.rawValue)' here", known.home)
  }
  static func brokenName(_ name: String) -> Self { Self("the definition of '\(name)' has a mistake") }
  static func unknownState(_ name: String, known: [String]) -> Self {
    Self(
      "no state '\(name)'",
      known.isEmpty ? "declare it: states: [\(name)]" : Suggestion.hint(for: name, in: known))
  }
  static func unknownOrigin(_ name: String, known: [String]) -> Self {
    Self("nothing comes from '\(name)' here", Suggestion.hint(for: name, in: known))
  }
  static func unknownReason(_ name: String, known: [String], example: String) -> Self {
    Self(
      "unknown reason '\(name)'",
      Suggestion.hint(for: name, in: known)
        ?? "such as '\(example)', or the code of one without a name, as in '0x2E'")
  }
  static func unknownPHY(_ name: String) -> Self {
    Self("unknown PHY '\(name)'", Suggestion.hint(for: name, in: PHY.words))
  }
  static func unknownNumberName(_ name: String, known: [String]) -> Self {
    Self("the field is never '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func unknownNotifying(_ id: String, known: [String]) -> Self {
    Self("no characteristic '\(id)' notifies or indicates", Suggestion.hint(for: id, in: known))
  }
  static func unknownAttribute(_ name: String, known: [String]) -> Self {
    Self("the device has no attribute '\(name)'", Suggestion.hint(for: name, in: known))
  }

  // Types and arguments.
  static func wrongType(_ type: ValueType, expected: ExpectedType) -> Self {
    Self("expected \(expected.phrase), found \(type.phrase)")
  }
  static func wrongOperands(_ op: Expression.BinaryOperator, _ left: ValueType, _ right: ValueType) -> Self {
    Self(
      "'\(op.rawValue)' does not apply to \(left.phrase) and \(right.phrase)",
      Self.hint(for: op, left, right))
  }
  static func unknownNameInFunction(_ name: String, known: [String]) -> Self {
    Self(
      "unknown name '\(name)'",
      "a function has its parameters and the names of the definition: "
        + known.joined(separator: ", "))
  }
  static func functionWithoutParameters(_ name: String) -> Self {
    Self(
      "the function '\(name)' names no parameters",
      "write \(name)(x): …; an expression without parameters is a value: values: { \(name): … }")
  }
  static func takenParameter(_ name: String, by owner: String) -> Self {
    Self(
      "the parameter '\(name)' would hide \(owner == "the language" ? "a word of the language" : owner)",
      "choose another name")
  }
  static func tooManyParameters(_ count: Int, most: Int) -> Self {
    Self("\(count) parameters", "at most \(most) are possible")
  }
  static func callsItself(_ path: [String]) -> Self {
    Self(
      "'\(path[0])' uses itself: \(path.joined(separator: " → "))",
      "a function cannot: to repeat something, use 'repeat' or a table")
  }
  static func functionsTooDeep(most: Int) -> Self {
    Self("functions use one another more than \(most) levels deep", "write some of them where they are used")
  }
  static func wrongArguments(of function: String, parameters: [String]) -> Self {
    Self(
      "'\(function)' takes \(parameters.count) value\(parameters.count == 1 ? "" : "s")",
      "\(function)(\(parameters.joined(separator: ", ")))")
  }
  /// - Parameter error: that of the function's body with these arguments.
  static func failure(of function: DefinedFunction, with types: [ValueType], _ error: TextError) -> Self {
    let types = types.map(\.name).joined(separator: ", ")
    return Self("in \(function.name)(\(types)), '\(function.text)': \(error.message)", error.hint)
  }
  static func unknownFunction(_ name: String, known: [String]) -> Self {
    Self(
      "unknown function '\(name)'", ForeignFunction.hint(for: name) ?? Suggestion.hint(for: name, in: known))
  }
  /// - Parameter hint: how to convert its arguments.
  static func wrongArguments(of function: Expression.Function, _ hint: String? = nil) -> Self {
    Self("'\(function.rawValue)' takes \(function.usage)", hint)
  }
  static func wrongArguments(of function: Expression.CryptographicFunction, _ hint: String?) -> Self {
    Self("'\(function.rawValue)' takes \(function.usage)", hint)
  }
  /// How to convert the arguments of a function that takes bytes for texts, or texts for bytes.
  static func conversion(of types: [ValueType], for takes: ([ValueType]) -> Bool) -> String? {
    if types.contains(.text), takes(types.map { $0 == .text ? .bytes : $0 }) {
      return "utf8('abc') are the bytes of a text, bytes('A5 06') are those of hex digits"
    }
    guard types.contains(.bytes), takes(types.map { $0 == .bytes ? .text : $0 }) else { return nil }
    return "text(…) reads bytes as text, hex(…) writes them in hex"
  }
  static let wrongArgumentsOfIf = Self("'if' takes a condition and two values")
  static let wrongArgumentsOfRandom = Self("'random' takes the least and the greatest number")
  static let wrongArgumentsOfRandomBytes = Self("'random-bytes' takes the number of bytes")
  static func wrongArgumentsOfSubscribed(known: [String]) -> Self {
    Self("'subscribed' takes the id of a characteristic", Suggestion.hint(for: "", in: known))
  }
  static func wrongArgumentsOfHandle(known: [String]) -> Self {
    Self("'handle' takes the id of an attribute", Suggestion.hint(for: "", in: known))
  }
  static func wrongArgumentsOfPSM(known: [String]) -> Self {
    Self("'psm' takes the id of a channel", Suggestion.hint(for: "", in: known))
  }
  static func unknownChannel(_ name: String, known: [String]) -> Self {
    Self(
      "the device has no channel '\(name)'",
      known.isEmpty ? "'channels' has none" : Suggestion.hint(for: name, in: known))
  }
  /// nil if there is a time zone with this name, or no list of them.
  static func unknownTimeZone(_ name: String) -> Self? {
    guard TimeZones.areKnown, !TimeZones.contain(name) else { return nil }
    return Self("there is no time zone '\(name)'", "as in 'Europe/Berlin'; UTC is unix-time itself")
  }
  static func wrongArgumentsOfNumber(_ name: String) -> Self {
    Self("'\(name)' takes one number, or bytes and an index")
  }
  static func numberWithoutIndex(_ name: String) -> Self {
    Self("expected an integer, found bytes", "to read the number at their start: \(name)(bytes, 0)")
  }
  static func wrongArgumentsOfChecksum(_ name: String, canContinue: Bool, _ hint: String?) -> Self {
    Self(
      "'\(name)' takes bytes"
        + (canContinue ? " and, optionally, the checksum of the bytes before them" : ""),
      hint)
  }
  static func orderOfChecksum(_ name: String, width: Int) -> Self {
    Self(
      "the checksum is a number here, without a byte order",
      "its bytes: u\(8 * width)\(name.suffix(2).lowercased())(\(name.dropLast(3))(…))")
  }
  static func wrongArgumentsOfSetting(_ question: Expression.SettingQuestion) -> Self {
    Self(
      "'\(question.rawValue)' takes the name of a setting" + (question == .takes ? " and a value" : ""),
      question == .takes ? "both are texts" : "it is a text")
  }
  static func unknownSetting(_ name: String, known: [String]) -> Self {
    Self("no setting '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func noValue(_ error: EvaluationError) -> Self { Self(error.description) }

  // Tables and groups.
  static func tableAsValue(_ name: String, keys: [String]) -> Self {
    Self(
      "'\(name)' is a table, not a value",
      keys.isEmpty
        ? "\(name).size is the number of its rows"
        : "look up a cell: \(name)[\(keys.joined(separator: ", "))].COLUMN")
  }
  static func notATable(known: [String]) -> Self {
    Self("only a data table has rows", Suggestion.hint(for: "", in: known))
  }
  static func tableWithoutKey(_ name: String) -> Self {
    Self("'\(name)' has no key", "add 'key: [COLUMN]' to it")
  }
  static func wrongKey(table: String, keys: [String]) -> Self {
    Self("'\(table)' is looked up by \(keys.joined(separator: ", "))")
  }
  static let tableRowAsValue = Self("a row is not a value", "add '.' and a column")
  static let groupRowAsValue = Self("a row is not a value", "add '.' and a field")
  static func unknownGroupField(_ field: String, known: [String]) -> Self {
    Self("the group has no field '\(field)'", Suggestion.hint(for: field, in: known))
  }
  static let wrongIndex = Self("expected one index, counted from 0")

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

  /// Hints for characters with a meaning in other languages.
  private static let hints: [Unicode.Scalar: String] = {
    var hints: [Unicode.Scalar: String] = [
      "=": "to compare, write '=='", "!": "write 'not'", "?": "write if(condition, a, b)",
      "{": noBraces, "}": noBraces, "$": "write the name alone", "@": "write the name alone",
      "≤": "write <=", "≥": "write >=", "≠": "write !=",
      ":": "a part of bytes or text is slice(b, first, count)",
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

extension Mistake.ExpectedSyntax {
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
    case (_, .name("in")): "compare with each value: a == 1 or a == 2; contains(a, 'b') looks into a text"
    case (_, .name("not")): "'not' comes before a comparison: not (a == 1 or a == 2)"
    case (.name, .symbol(".")): "a part of bytes or text is slice(b, first, count)"
    case (.operatorOrEnd, .name("mod")): "write '%'"
    case (.operatorOrEnd, .name("div")): "write '//'"
    default: nil
    }
  }
}

extension Mistake.ExpectedType {
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
    case .operation(let op): "'\(op.rawValue)'"
    case .symbol(let symbol): "'\(symbol)'"
    case .end: "the end"
    }
  }
}

extension KnownValue {
  /// The rules that have it, if not all do.
  fileprivate var home: String? {
    switch self {
    case .frame: "only 'on: { receive: … }' has it"
    case .origin: "only events that name what they are about have it, such as 'on: { receive: … }'"
    case .value: "only 'on: { write: ID }', 'decode' and 'encode' have it"
    case .offset: "only 'on: { read: ID }' and 'on: { write: ID }' have it"
    case .reason: "only events with a reason have it, such as 'on: disconnect'"
    case .interval, .latency, .timeout: "only 'on: parameters' has it"
    case .tx, .rx: "only 'on: phy' has it"
    case .address: "this key decides what it is; 'adapter' is the adapter's address"
    case .bytes: "only the expression of a checksum has it, under 'checksums'"
    case .advertiser: "only the advertisement of a 'crowd' has it"
    case .adapter: "only 'address' in 'advertisement' has it"
    case .state, .centrals, .central, .encrypted, .mtu, .longTermKey, .uptime, .unixTime: nil
    }
  }
}
