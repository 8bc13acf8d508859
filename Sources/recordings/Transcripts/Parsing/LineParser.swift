import Behavior
import Definitions
import DeviceModel

/// One line of a transcript.
package enum TranscriptLine: Sendable {
  /// Empty, or a comment.
  case blank
  /// `== TITLE`
  case section(String)
  /// `device NAME.yaml`: the device under test.
  case device(String)
  /// New values. The device starts with them or, once the conversation has begun, gets them in this step.
  case set([ControlEvent.Assignment], Step)
  case seed(UInt64)
  /// Seconds since 1970.
  case clock(Int64)
  /// The section runs in memory only.
  case memoryOnly
  /// The wire side runs at the speed of the device's UART.
  case paced
  /// Values wait for the connection events of the link.
  case linkTime
  case step(Step)
}

/// Reads single lines, with the names of a definition.
package struct LineParser: Sendable {
  let definition: PeripheralDefinition
  /// The names that conditions may use.
  let names: NameScope
  /// The device's address, 6 bytes, most significant first.
  package let address: [UInt8]

  /// - Parameter address: zeros for a device that is not on the air; then only the sizes of values are correct.
  package init(_ definition: PeripheralDefinition, address: [UInt8] = Array(repeating: 0, count: 6)) {
    self.definition = definition
    self.address = address
    names = NameScope(of: definition)
  }

  /// Reads a line.
  ///
  /// - Parameter line: its line number, for diagnostics.
  package func parse(_ text: some StringProtocol, line: Int = 1) throws(Diagnostic) -> TranscriptLine {
    if let title = Self.title(text) { return .section(try checked(title: title, line)) }
    if let step = try condition(text, line: line) { return .step(step) }
    var words = Words(try Lexer.tokens(of: text, line: line), line: line)
    let whole = words.range
    guard var first = words.next() else { return .blank }
    let central = first.word == "as" ? try central(&first, &words) : nil
    guard let word = first.word, let form = Form(rawValue: word) ?? Form(wait: word) else {
      throw words.error(.unknownLine(word: first.word ?? first.name ?? ""), at: first.range)
    }
    let result: TranscriptLine
    switch form {
    case .device: result = try device(&words)
    case .set:
      let assignments = try assignments(&words)
      let text = Self.cut(text, to: whole)
      result = .set(assignments, Step(.control(.set(assignments)), line: line, text: text))
    case .seed: result = .seed(try seed(&words))
    case .clock: result = .clock(try clock(&words))
    case .memoryOnly: result = .memoryOnly
    case .paced: result = .paced
    case .linkTime: result = .linkTime
    case .fault, .no:
      let action = try fault(form, &words, Self.cut(text, to: whole), column: whole.lowerBound + 1)
      result = .step(Step(action, line: line, text: Self.cut(text, to: whole)))
    default:
      let action = try action(form, first, &words)
      result = .step(Step(action.of(central), line: line, text: Self.cut(text, to: whole), by: central))
    }
    if central != nil {
      guard case .step(let step) = result, step.action.isOfCentral else {
        throw words.error(.notOfCentral, at: first.range)
      }
    }
    try words.finish(form)
    return result
  }

  /// `as B connect`: reads the name, and takes the next word as the first.
  private func central(_ first: inout Token, _ words: inout Words) throws(Diagnostic) -> String {
    let name = try words.next(.central)
    guard let central = name.word else { throw words.error(.notCentral, at: name.range) }
    first = try words.next(.actionOfCentral)
    return central
  }

  static func cut(_ text: some StringProtocol, to range: Range<Int>) -> String {
    String(scalars: Array(text.unicodeScalars)[range])
  }

  /// The text after `==`; nil for every other line.
  private static func title(_ text: some StringProtocol) -> String? {
    let blanks = text.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    guard text.utf8.dropFirst(blanks).starts(with: "==".utf8) else { return nil }
    let line = text.dropFirst(blanks)
    guard line.hasPrefix("==") else { return nil }  // whole characters
    var title = line.drop { $0 == "=" }.drop(while: \.isWhitespace)
    while title.last?.isWhitespace == true { title.removeLast() }
    return String(title)
  }

  private func checked(title: String, _ line: Int) throws(Diagnostic) -> String {
    guard title.isEmpty else { return title }
    throw Diagnostic(.noTitle, at: SourceRange(line: line, column: 1, length: 2))
  }
}

/// The forms of lines, by their first word.
enum Form: String, CaseIterable {
  case device, set, seed, clock, paced
  case memoryOnly = "memory-only"
  case linkTime = "link-time"
  case connect, disconnect, pair, bond, unpair, lose, subscribe, unsubscribe
  case open, close, closed, serve, unserve
  case parameters, phy, refuse
  case press, forget, reset, advertise
  case sent, received
  case read, wait, silence, finds, advertises, disconnected
  case not
  case fault, no
  case write = ">"
  case command = ">!"
  case request = ">?"
  case pduOut = ">>"
  case value = "<"
  case pduIn = "<<"
  case readValue = "="
  case refusal = "!"
  case wireIn = "]"
  case wireOut = "["
  case note = "*"
  /// `+5s`
  case pause = "+"

  static let marks = [">!", ">?", ">>", ">", "<<", "<", "=", "!", "]", "[", "*"]

  /// Recognizes `+5s`, which has no space after its mark.
  init?(wait word: String) {
    guard word.hasPrefix("+") else { return nil }
    self = .pause
  }
}
