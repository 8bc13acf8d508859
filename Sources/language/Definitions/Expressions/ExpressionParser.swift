import DeviceModel

/// Parses the text of an expression.
///
///     or → and → not → comparison → | → ^ → & → << >> → + - → * / // % → unary - → postfix → primary
struct ExpressionParser {
  /// Deeper nesting is refused, so that no text can exhaust the stack.
  static let maximumDepth = 50
  /// The longest chain of operations in which each uses the result of the one before.
  static let maximumChain = 150

  private var lexer: ExpressionLexer
  private var token = ExpressionLexer.Token.end
  private var range = 0..<0
  private var lastEnd = 0
  private var lastToken = ExpressionLexer.Token.end
  private var depth = 0

  /// The most scalars of an expression's text.
  static let longestText = 4096

  /// - Parameter isName: whether a word is a name at the place of the text.
  static func parse(
    _ text: String, isName: @escaping (String) -> Bool
  ) throws(TextError) -> ExpressionSyntax {
    guard text.utf8.count <= longestText || text.unicodeScalars.count <= longestText else {
      throw TextError(.tooManyCharactersInExpression(most: longestText), 0..<1)
    }
    if isBytes(text) { throw TextError(.bareBytes(text), 0..<text.unicodeScalars.count) }
    var parser = try ExpressionParser(text, isName: isName)
    let expression = try parser.binary(level: 0)
    if parser.token != .end { throw parser.unexpected(expected: .operatorOrEnd) }
    return expression
  }

  /// Whether a text is bytes as in templates, `5A C3`, which is not an expression.
  private static func isBytes(_ text: String) -> Bool {
    var (count, digits) = (0, 0)
    for byte in text.utf8 {
      if byte == UInt8(ascii: " ") {
        guard digits != 1 else { return false }
        digits = 0
        continue
      }
      guard digits < 2, Character(Unicode.Scalar(byte)).isHexDigit else { return false }
      digits += 1
      count += digits / 2
    }
    return count > 1 && digits != 1
  }

  private init(_ text: String, isName: @escaping (String) -> Bool) throws(TextError) {
    lexer = ExpressionLexer(text, isName: isName)
    try advance()
  }

  private mutating func advance() throws(TextError) {
    (lastEnd, lastToken) = (range.upperBound, token)
    (token, range) = try lexer.next()
  }

  private mutating func accept(_ symbol: String) throws(TextError) -> Bool {
    guard case .symbol(symbol) = token else { return false }
    try advance()
    return true
  }

  private func unexpected(expected: Mistake.ExpectedSyntax) -> TextError {
    if let duration = spacedDuration {
      return TextError(.spacedDuration(duration), range)
    }
    if case .symbol(":") = token { return TextError(.unexpectedCharacter(":"), range) }
    return TextError(.unexpectedToken(token, expected: expected), range)
  }

  /// `500ms` for `500 ms`.
  private var spacedDuration: String? {
    guard case .name(let unit) = token else { return nil }
    return switch lastToken {
    case .integer(let number): DurationText.correction(of: "\(number)\(unit)")
    case .decimal(let number): DurationText.correction(of: "\(number)\(unit)")
    default: nil
    }
  }

  private static let levelCount = 9

  private var binaryOperator: Expression.BinaryOperator? {
    switch token {
    case .operation(let op): op
    case .name("and"): .and
    case .name("or"): .or
    default: nil
    }
  }

  /// Operations of this level, and of those that bind more tightly.
  private mutating func binary(level: Int) throws(TextError) -> ExpressionSyntax {
    let outer = depth
    defer { depth = outer }
    depth += Self.levelCount - level
    guard depth < Self.maximumDepth * Self.levelCount else {
      throw TextError(.nestedTooDeep, range)
    }
    var left = try unary()
    while let op = binaryOperator, op.level >= level {
      depth = outer + 1 + op.level - level
      try advance()
      let right = try binary(level: op.level + 1)
      left = try operation(.binary(op, left, right), left.range.lowerBound..<right.range.upperBound)
    }
    return left
  }

  private mutating func unary() throws(TextError) -> ExpressionSyntax {
    let start = range.lowerBound
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.maximumDepth * Self.levelCount else {
      throw TextError(.nestedTooDeep, range)
    }
    if case .operation(.subtract) = token {
      try advance()
      let operand = try unary()
      return try operation(.unary(.negate, operand), start..<operand.range.upperBound)
    }
    if case .name("not") = token {
      try advance()
      let operand = try binary(level: 2)
      return try operation(.unary(.not, operand), start..<operand.range.upperBound)
    }
    return try postfix()
  }

  private mutating func postfix() throws(TextError) -> ExpressionSyntax {
    var base = try primary()
    let start = base.range.lowerBound
    while true {
      if try accept(".") {
        guard case .name(let member) = token else { throw unexpected(expected: .name) }
        try advance()
        let arguments = try accept("(") ? try list(until: ")") : []
        base = try operation(.member(base, member, arguments), start..<lastEnd)
      } else if try accept("[") {
        let key = try list(until: "]")
        base = try operation(.lookup(base, key), start..<lastEnd)
      } else {
        return base
      }
    }
  }

  private mutating func primary() throws(TextError) -> ExpressionSyntax {
    let (token, range) = (token, range)
    switch token {
    case .integer(let n): return try constant(.integer(n), range)
    case .decimal(let n): return try constant(.decimal(n), range)
    case .text(let text): return try constant(.text(text), range)
    case .name("true"): return try constant(.boolean(true), range)
    case .name("false"): return try constant(.boolean(false), range)
    case .name(let name):
      try advance()
      guard try accept("(") else { return ExpressionSyntax(kind: .name(name), range: range) }
      let arguments = try list(until: ")")
      return try operation(.call(name, arguments), range.lowerBound..<lastEnd)
    case .symbol("("):
      try advance()
      let inner = try binary(level: 0)
      guard try accept(")") else { throw unexpected(expected: .closing(")")) }
      return inner
    default: throw unexpected(expected: .value)
    }
  }

  private func operation(
    _ kind: ExpressionSyntax.Kind, _ range: Range<Int>
  ) throws(TextError) -> ExpressionSyntax {
    let operation = ExpressionSyntax(kind: kind, range: range)
    guard operation.depth <= Self.maximumChain else {
      throw TextError(.tooLongExpression, range)
    }
    return operation
  }

  private mutating func constant(_ value: Value, _ range: Range<Int>) throws(TextError) -> ExpressionSyntax {
    try advance()
    return ExpressionSyntax(kind: .constant(value), range: range)
  }

  /// A value, or one with a name: `index: 3`.
  private mutating func element() throws(TextError) -> ExpressionSyntax {
    let value = try binary(level: 0)
    guard case .name(let name) = value.kind, try accept(":") else { return value }
    let labelled = try binary(level: 0)
    return try operation(.labelled(name, labelled), value.range.lowerBound..<labelled.range.upperBound)
  }

  private mutating func list(until close: String) throws(TextError) -> [ExpressionSyntax] {
    var elements: [ExpressionSyntax] = []
    if try accept(close) { return [] }
    repeat {
      elements.append(try element())
    } while try accept(",")
    guard try accept(close) else { throw unexpected(expected: .commaOrClosing(close)) }
    return elements
  }
}

extension Expression.BinaryOperator {
  /// How tightly it binds, from 0.
  package var level: Int {
    switch self {
    case .or: 0
    case .and: 1
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 2
    case .bitOr: 3
    case .bitXor: 4
    case .bitAnd: 5
    case .shiftLeft, .shiftRight: 6
    case .add, .subtract: 7
    case .multiply, .divide, .divideWhole, .remainder: 8
    }
  }
}
