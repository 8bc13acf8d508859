import DeviceModel
import Framing

/// Functions that take any values of certain types.
extension ExpressionChecker {
  static let functionNames =
    Expression.Function.allCases.map(\.rawValue) + Expression.CryptographicFunction.allCases.map(\.rawValue)
    + ["if", "random", "random-bytes", "subscribed", "handle", "psm"] + Checksum.names

  func call(
    _ function: Expression.Function, _ arguments: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    var typed: [Typed] = []
    for argument in arguments { typed.append(try check(argument)) }
    guard let type = function.resultType(typed.map(\.type)) else {
      let hint = Mistake.conversion(of: typed.map(\.type)) { function.resultType($0) != nil }
      throw TextError(.wrongArguments(of: function, hint), range)
    }
    for index in typed.indices {
      try function.requirement(ofArgument: index)?.check(typed[index], at: arguments[index].range)
    }
    return try folded(.call(function, typed.map(\.expression)), type, typed, at: range)
  }

  func cryptography(
    _ function: Expression.CryptographicFunction, _ arguments: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    var typed: [Typed] = []
    for argument in arguments { typed.append(try check(argument)) }
    let description = function.description
    let takes = { (types: [ValueType]) in
      types.count >= description.arguments.count - description.optional
        && description.arguments.map(\.type).starts(with: types)
    }
    let types = typed.map(\.type)
    guard takes(types) else {
      throw TextError(.wrongArguments(of: function, Mistake.conversion(of: types, for: takes)), range)
    }
    for ((value, syntax), argument) in zip(zip(typed, arguments), description.arguments) {
      try argument.requirement?.check(value, at: syntax.range)
    }
    return try folded(.cryptography(function, typed.map(\.expression)), .bytes, typed, at: range)
  }

  /// `crc32(bytes)`, `crc32(bytes, earlier)`
  func checksum(
    _ checksum: Checksum, _ name: String, _ arguments: [ExpressionSyntax], at range: Range<Int>
  ) throws(TextError) -> Typed {
    guard Checksum.names.contains(name.lowercased()) || checksum.name == name else {
      throw TextError(.orderOfChecksum(name, width: checksum.width), range)
    }
    var typed: [Typed] = []
    for argument in arguments { typed.append(try check(argument)) }
    let types = typed.map(\.type)
    let canContinue = checksum.definition == nil
    let takes = { (types: [ValueType]) in types == [.bytes] || canContinue && types == [.bytes, .integer] }
    guard takes(types) else {
      let hint = Mistake.conversion(of: types, for: takes)
      throw TextError(.wrongArgumentsOfChecksum(name, canContinue: canContinue, hint), range)
    }
    let earlier = typed.count > 1 ? typed[1].expression : nil
    if case .constant(.integer(let number))? = earlier, !checksum.range.contains(number) {
      let error = EvaluationError.notEncodable(.outOfRange(number, checksum.range))
      throw TextError(.noValue(error), arguments[1].range)
    }
    return try folded(
      .checksum(checksum, of: typed[0].expression, after: earlier), .integer, typed, at: range)
  }
}

extension Value {
  /// Whether it is recomputed each time, because a definition could have thousands of such constants.
  var isLarge: Bool {
    switch self {
    case .text(let text): text.utf8.count > MessageTemplate.maximumSize
    case .bytes(let bytes): bytes.count > MessageTemplate.maximumSize
    default: false
    }
  }
}

extension Expression.Function {
  /// The type of its value; nil if it does not take arguments of these types.
  fileprivate func resultType(_ types: [ValueType]) -> ValueType? {
    switch self {
    case .ceil, .floor, .round: types.count == 1 && types[0].isNumber ? .integer : nil
    case .sin, .cos: types.count == 1 && types[0].isNumber ? .decimal : nil
    case .abs: types.count == 1 && types[0].isNumber ? types[0] : nil
    case .min, .max:
      types.isEmpty || !types.allSatisfy(\.isNumber) ? nil : types.contains(.decimal) ? .decimal : .integer
    case .size: types.count == 1 && types[0].hasSize ? .integer : nil
    case .text: types.count == 1 && !types[0].isGroup ? .text : nil
    default: forms.first { $0.arguments == types }?.result
    }
  }

  /// The arguments that it takes, with the type of its value.
  private var forms: [(arguments: [ValueType], result: ValueType)] {
    switch self {
    case .hex: [([.bytes], .text), ([.bytes, .text], .text)]
    case .slice: [([.bytes, .integer, .integer], .bytes), ([.text, .integer, .integer], .text)]
    case .upper, .lower: [([.text], .text)]
    case .number: [([.text], .integer), ([.boolean], .integer)]
    case .bytes, .utf8: [([.text], .bytes)]
    case .contains, .startsWith: [([.text, .text], .boolean)]
    case .localTime: [([.integer, .text], .integer)]
    case .time: [(Array(repeating: .integer, count: 6), .integer)]
    case .year, .month, .day, .hour, .minute, .second, .weekday, .yearday: [([.integer], .integer)]
    case .find:
      [
        ([.bytes, .bytes], .integer), ([.bytes, .bytes, .integer], .integer), ([.text, .text], .integer),
        ([.text, .text, .integer], .integer),
      ]
    case .replace: [([.bytes, .bytes, .bytes], .bytes), ([.text, .text, .text], .text)]
    case .xor: [([.bytes, .bytes], .bytes)]
    case .base64: [([.bytes], .text)]
    case .fromBase64: [([.text], .bytes)]
    case .reverse, .slip, .unslip: [([.bytes], .bytes)]
    case .fill: [([.integer, .integer], .bytes)]
    case .patch: [([.bytes, .integer, .bytes], .bytes)]
    case .escape: [([.bytes, .integer, .bytes, .integer], .bytes)]
    case .unescape: [([.bytes, .integer, .integer], .bytes)]
    case .ceil, .floor, .round, .sin, .cos, .abs, .min, .max, .size, .text: []
    }
  }

  /// Its arguments in words, for a message.
  var usage: String {
    switch self {
    case .ceil, .floor, .round, .abs: "one number"
    case .sin, .cos: "one number, in radians"
    case .min, .max: "numbers"
    case .hex: "bytes and, optionally, a text between them"
    case .size: "bytes, text or a group"
    case .upper, .lower, .utf8, .fromBase64: "text"
    case .number: "text, or true or false"
    case .bytes: "text, in hex"
    case .text: "one value"
    case .contains, .startsWith: "two texts"
    case .localTime: "the name of a time zone, optionally after seconds since 1970"
    case .time: "year, month, day, hour, minute and second"
    case .year, .month, .day, .hour, .minute, .second, .weekday, .yearday: "seconds since 1970"
    case .slice: "bytes or text, the first index and a count"
    case .find: "bytes and the bytes to find, or two texts; optionally the first index"
    case .replace: "bytes, the bytes to replace and their replacement, or three texts"
    case .xor: "two values of bytes"
    case .reverse, .slip, .unslip, .base64: "bytes"
    case .fill: "a byte as a number, and a count"
    case .patch: "bytes, an index and the new bytes"
    case .escape: "bytes, the escape byte, the bytes to escape, and the number for '^'"
    case .unescape: "bytes, the escape byte, and the number for '^'"
    }
  }
}

extension Expression.CryptographicFunction {
  /// Its arguments in words, for a message.
  var usage: String {
    let phrases = description.arguments.map(\.phrase)
    let (needed, optional) = (phrases.dropLast(description.optional), phrases.suffix(description.optional))
    let list = Self.list(Array(needed))
    return optional.isEmpty ? list : "\(list); optionally \(Self.list(Array(optional)))"
  }

  private static func list(_ phrases: [String]) -> String {
    phrases.count < 2
      ? phrases.joined() : phrases.dropLast().joined(separator: ", ") + " and \(phrases[phrases.count - 1])"
  }
}

extension ArgumentRequirement {
  /// Throws where an argument is a constant that does not meet the requirement.
  func check(_ argument: ExpressionChecker.Typed, at range: Range<Int>) throws(TextError) {
    guard case .constant(let value) = argument.expression else { return }
    do { try check(value) } catch { throw TextError(.noValue(error), range) }
  }
}
