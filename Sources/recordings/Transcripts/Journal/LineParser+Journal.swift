import Behavior
import Bluetooth
import Definitions
import DeviceModel

/// Lines that are expected of a journal: those of transcripts, with the central's actions as expectations.
extension LineParser {
  /// Reads a line such as `> serial day-request month=1`, `< FFE1 4F 4B`, `connect` or `* level < 5`.
  ///
  /// Without a value, any value matches.
  package func journalPattern(_ text: String) throws(Diagnostic) -> JournalPattern {
    if let step = try condition(text, line: 1), case .expectTrue(let condition) = step.action {
      return JournalPattern(subject: .condition(condition), text: step.text)
    }
    var words = Words(try Lexer.tokens(of: text, line: 1), line: 1)
    let first = try words.next(.journalLine)
    guard let form = first.word.flatMap(Form.init(rawValue:)), let subject = try subject(form, &words, text)
    else {
      throw words.error(.unknownLine(word: first.word ?? first.name ?? ""), at: first.range)
    }
    try words.finish()
    return JournalPattern(subject: subject, text: text)
  }

  /// nil for a form that is not an event.
  private func subject(
    _ form: Form, _ words: inout Words, _ text: String
  ) throws(Diagnostic) -> JournalPattern.Subject? {
    switch form {
    case .write, .command, .request:
      let kind: WriteKind? = form == .command ? .command : form == .request ? .request : nil
      return .write(definition.name(of: try attribute(&words)), try optionalPattern(&words), kind)
    case .value:
      let id = definition.characteristics[try notifying(&words)].id
      return .value(id, try optionalPattern(&words))
    case .sent: return .sent(try placeOfSending(&words), try optionalPattern(&words))
    case .received: return .received(try placeOfReceiving(&words), try optionalPattern(&words))
    case .read: return .read(definition.name(of: try attribute(&words)), try optionalPattern(&words))
    case .wireIn:
      try wire(&words)
      return .wireIn(try optionalPattern(&words))
    case .wireOut:
      try wire(&words)
      return .wireOut(try optionalPattern(&words))
    case .refusal: return try refusalOrWarning(&words)
    case .note: return .log(try quotedPattern(&words))
    case .connect: return .connection
    case .disconnect, .disconnected: return .disconnection
    case .pair: return .pairing
    case .bond: return .bonding
    case .subscribe: return .subscription(definition.characteristics[try notifying(&words)].id)
    case .unsubscribe: return .unsubscription(definition.characteristics[try notifying(&words)].id)
    case .fault: return .fault(try struckFault(&words, text))
    case .set: return .control(try setting(&words))
    case .press: return .control(try pressing(&words))
    case .advertise: return .control(try advertising(&words))
    case .forget: return .control(.forget)
    case .reset: return .control(.operation(.reset))
    default: return nil
    }
  }

  private func optionalPattern(_ words: inout Words) throws(Diagnostic) -> ValuePattern? {
    words.peek == nil ? nil : try pattern(&words)
  }

  /// `! insufficient-authentication`, or `! "not sent" ...`
  private func refusalOrWarning(_ words: inout Words) throws(Diagnostic) -> JournalPattern.Subject {
    if case .quoted = words.peek?.content { return .warning(try quotedPattern(&words)) }
    let token = try words.next(.attError)
    guard let error = token.word.flatMap(ATTError.init(named:)) else {
      throw words.error(.unknownError(token.word ?? ""), at: token.range)
    }
    return .refusal(error)
  }
}

/// An action on the device from outside, in the words of the journal. Without a value, any value matches.
extension LineParser {
  /// `set level=3 title=Lamp`, `set level`, `set`
  private func setting(_ words: inout Words) throws(Diagnostic) -> OperationPattern {
    var expected: [Operation.Assignment] = []
    while let token = words.peek, token.name != nil {
      _ = words.next()
      expected.append(Operation.Assignment(try assignment(token, words), in: definition))
    }
    guard let token = words.next() else { return .set(expected, then: nil) }
    let name = token.text ?? ""
    do { _ = try ControlReader(definition).slot(name) } catch { throw diagnostic(error, of: token, words) }
    return .set(expected, then: name)
  }

  /// `press button`, `press speed=7`, `press speed`, `press`
  private func pressing(_ words: inout Words) throws(Diagnostic) -> OperationPattern {
    guard let token = words.peek else { return .press(nil) }
    if token.name != nil, let operation = Operation(try self.operation(&words), in: definition) {
      return .operation(operation)
    }
    _ = words.next()
    let name = token.text ?? ""
    do { _ = try ControlReader(definition).control(name) } catch { throw diagnostic(error, of: token, words) }
    return .press(name)
  }

  /// `advertise on`, `advertise`
  private func advertising(_ words: inout Words) throws(Diagnostic) -> OperationPattern {
    words.peek == nil ? .advertise : .operation(.advertise(try isOn(&words)))
  }

  /// The beginning of the text of a fault that was applied.
  private func struckFault(_ words: inout Words, _ text: String) throws(Diagnostic) -> String {
    guard let first = words.next() else { throw words.missing(.fault) }
    let rest = first.range.lowerBound..<words.range.upperBound
    while words.next() != nil {}
    return try FaultReader(definition).beginning(
      Self.cut(text, to: rest), line: 1, column: rest.lowerBound + 1)
  }
}

/// Values sent from outside.
extension LineParser {
  /// Bytes in the words of transcripts, with the name of their message.
  package struct Content: Hashable, Sendable {
    package var bytes: [UInt8]
    /// By index in ``PeripheralDefinition/messages``.
    package var message: Int?

    package init(bytes: [UInt8], message: Int? = nil) {
      (self.bytes, self.message) = (bytes, message)
    }
  }

  /// Reads `day-total packets=5`, `4F 4B` or `"OK"`.
  package func content(_ text: String) throws(Diagnostic) -> Content {
    var words = Words(try Lexer.tokens(of: text, line: 1), line: 1)
    let index = words.peek?.word.flatMap { name in definition.messages.firstIndex { $0.name == name } }
    let bytes = try exactValue(&words)
    try words.finish()
    return Content(bytes: bytes, message: index)
  }

  /// The value of a message's field.
  package enum FieldValue: Hashable, Sendable {
    /// In the words of transcripts. A text is taken literally, without quotes.
    case text(String)
    case bytes([UInt8])
  }

  /// Builds a message from the values of its fields.
  package func content(_ message: String, fields: [(name: String, value: FieldValue)]) throws(Diagnostic)
    -> Content
  {
    let name = Token(
      name: nil, content: .word(message), range: 0..<message.unicodeScalars.count, contentRange: 0..<0)
    var place = name.range.upperBound
    let tokens = fields.map { field -> Token in
      let start = place + 1
      let contentStart = start + field.name.unicodeScalars.count + 1
      let content: Token.Content
      switch field.value {
      case .text(let text):
        place = contentStart + text.unicodeScalars.count
        content = .word(text)
      case .bytes(let bytes):
        place = contentStart + bytes.count
        content = .quoted(bytes)
      }
      return Token(
        name: field.name, content: content, range: start..<place, contentRange: contentStart..<place)
    }
    var words = Words([name] + tokens, line: 1)
    guard let index = definition.messages.firstIndex(where: { $0.name == message && !message.isEmpty }) else {
      throw words.error(
        .unknownMessage(message, known: definition.namedMessages.map(\.name)), at: name.range)
    }
    _ = words.next()
    return Content(bytes: try build(definition.messages[index], name, &words), message: index)
  }
}
