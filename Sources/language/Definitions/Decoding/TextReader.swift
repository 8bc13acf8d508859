import Bluetooth
import DeviceModel

/// Reads the texts that may contain names. Returns nil for a wrong one, and reports it.
struct TextReader {
  let names: NameScope
  let log: DiagnosticLog

  init(_ names: NameScope, _ log: DiagnosticLog) { (self.names, self.log) = (names, log) }

  /// An expression of this type.
  func expression(_ scalar: Scalar?, as type: ValueType) -> Expression? {
    log.read(scalar) { text throws(TextError) in try Expression(text, as: type, in: names) }
  }

  /// A time in milliseconds.
  func milliseconds(_ scalar: Scalar?, atLeast least: Int64) -> Expression? {
    log.read(scalar) { text throws(TextError) in
      try Expression(milliseconds: text, atLeast: least, in: names)
    }
  }

  /// Hex bytes with holes.
  func bytes(_ scalar: Scalar?) -> ValueTemplate? {
    template(scalar, .bytes)
  }

  /// Text with holes.
  func text(_ scalar: Scalar?) -> ValueTemplate? {
    template(scalar, .text(ignoringCase: false))
  }

  /// Hex bytes or text with holes.
  func template(_ scalar: Scalar?, _ form: MessageTemplate.Form) -> ValueTemplate? {
    let template = log.read(scalar) { text throws(TextError) in
      try ValueTemplate(text, form: form, in: names)
    }
    guard let scalar, let template else { return nil }
    for (mistake, place) in HiddenNames.uses(in: scalar.text, names) {
      log.warn(mistake, at: scalar.range(at: place.lowerBound, length: place.count))
    }
    return template
  }

  /// A UUID, or bytes with holes that form one. The device declares a UUID of 16 bits in 128 if it has all characters.
  func uuidTemplate(_ scalar: Scalar) -> UUIDTemplate? {
    guard scalar.text.contains("{") else {
      return log.uuid(scalar).map { uuid in
        scalar.text.utf8.count == 36 && uuid.width == .bits16 ? .long(uuid) : .literal(uuid)
      }
    }
    return bytes(scalar).map { .bytes($0, source: scalar.text) }
  }
}

extension DiagnosticLog {
  /// Runs code that reads a scalar's text, and reports its mistake at the right column.
  func read<T>(_ scalar: Scalar?, _ body: (String) throws(TextError) -> T) -> T? {
    guard let scalar, !isClosed else { return nil }
    do {
      let result = try body(scalar.text)
      didRead?(scalar)
      return result
    } catch {
      guard !error.isConsequence else {
        assert(hasErrors, "\(error.message), but nothing has been reported")
        return nil
      }
      let isRest = scalar.text.isEmpty && cutLines.contains(scalar.range.start.line)
      guard !isRest, !hasError(at: scalar.range) else { return nil }  // a text that is cut
      let range = scalar.range(at: error.range.lowerBound, length: error.range.count)
      self.error(error.message, at: range, hint: error.hint)
      return nil
    }
  }

  /// - Parameter other: what is possible in its place, if not only a UUID is.
  func uuid(_ scalar: Scalar?, or other: String? = nil) -> BluetoothUUID? {
    guard let scalar else { return nil }
    if let uuid = BluetoothUUID(scalar.text) { return uuid }
    error(.notUUID(scalar.text, or: other), at: scalar.range)
    return nil
  }

  /// Milliseconds.
  ///
  /// - Parameter word: what is possible in its place, if not only a duration is.
  func duration(_ scalar: Scalar?, or word: String? = nil) -> Int? {
    guard let scalar else { return nil }
    if let milliseconds = DurationText.parse(scalar.text) { return milliseconds }
    error(.notDuration(scalar.text, or: word), at: scalar.range)
    return nil
  }
}

extension TextError {
  /// The mistake in an expression for a text, which the author may have meant as the text itself.
  fileprivate func explained(forText text: String) -> TextError {
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || " -_.!?:".contains($0) }
    guard isPlain, !isConsequence, hint?.hasPrefix("did you mean") != true else { return self }
    var error = self
    error.hint = Mistake.quotation(of: text)
    return error
  }
}

extension Expression {
  /// The expression of a text, which must be of this type.
  init(_ text: String, as type: ValueType, in names: NameScope) throws(TextError) {
    let typed: ExpressionChecker.Typed
    do { typed = try ExpressionChecker.check(text, in: names) } catch {
      throw type == .text ? error.explained(forText: text) : error
    }
    if type == .decimal, typed.type == .integer {
      self = typed.expression.asDecimal
      return
    }
    guard typed.type == type else {
      throw TextError(
        .mismatchedType(typed.type, expected: type, for: names.purpose), 0..<text.unicodeScalars.count)
    }
    self = typed.expression
  }

  /// A time in milliseconds. A bare number would be ambiguous.
  init(milliseconds text: String, atLeast least: Int64, in names: NameScope) throws(TextError) {
    let range = 0..<text.unicodeScalars.count
    if text.trimmed.allSatisfy({ $0.isNumber || $0 == "." || $0 == "_" }), !text.trimmed.isEmpty {
      throw TextError(.noUnit(number: text.trimmed), range)
    }
    let (expression, type) = try ExpressionChecker.check(text, in: names)
    guard type == .integer else { throw TextError(.wrongDurationType(type), range) }
    if case .constant(.integer(let number)) = expression, number < least || number > Rule.longestDuration {
      throw TextError(.badDuration(milliseconds: number, least: least), range)
    }
    self = expression
  }
}
