import Behavior
import DeviceModel
import Framing

/// What should be and what has been, line by line, for whoever looks for a mistake.
struct ConversationRecord {
  private let definition: PeripheralDefinition
  private var rows: [ConversationRow] = []
  private var hasUnexpected = false
  /// When the section began.
  var start = Instant()

  init(_ definition: PeripheralDefinition) {
    self.definition = definition
  }

  /// Begins with a line of the transcript, and with what has been instead of it, if that is known.
  mutating func begin(_ step: Step, at time: Instant? = nil, _ text: String? = nil) {
    rows.append(
      ConversationRow(
        line: step.line, expected: step.text, time: time.map(sinceStart), came: text.map { [$0] } ?? []))
  }

  /// Adds what came for the line that was begun last.
  mutating func came(_ arrival: Arrival, like pattern: ValuePattern?) {
    let last = rows.count - 1
    rows[last].time = rows[last].time ?? sinceStart(arrival.time)
    rows[last].came.append(text(of: arrival, like: pattern))
  }

  /// Adds what came before what the line that was begun last waits for.
  mutating func cameAgain(_ arrival: Arrival) {
    rows.insert(row(came: text(of: arrival), at: arrival.time), at: rows.count - 1)
  }

  /// The line that was begun last is where the two part.
  mutating func fault(_ text: String? = nil) {
    rows[rows.count - 1].isFault = true
    if let text { rows[rows.count - 1].came.append(text) }
  }

  /// What comes next is where the two part.
  mutating func markUnexpected() { hasUnexpected = true }

  mutating func take(_ remarks: [Inbox.Remark]) {
    rows += remarks.map { row(came: $0.text, at: $0.time) }
  }

  private func row(came text: String, at time: Instant) -> ConversationRow {
    ConversationRow(line: nil, expected: "", time: sinceStart(time), came: [text])
  }

  private func sinceStart(_ time: Instant) -> Duration { start.duration(to: time) }
}

// MARK: The end

extension ConversationRecord {
  private static let before = 6
  private static let next = 2
  private static let left = 4

  /// Adds what would have come next, and what has come and was not looked at.
  mutating func finish(next: ArraySlice<Step>, left: [Arrival]) {
    var came = left.prefix(Self.left).map { row(came: text(of: $0), at: $0.time) }
    if hasUnexpected, !came.isEmpty { came[0].isFault = true }
    if left.count > Self.left {
      came.append(ConversationRow(line: nil, expected: "", came: ["… \(left.count - Self.left) more"]))
    }
    rows += came
    rows += next.prefix(Self.next).map { ConversationRow(line: $0.line, expected: $0.text, came: []) }
  }

  /// The lines around the place where the two part.
  var excerpt: [ConversationRow] {
    let fault = rows.firstIndex(where: \.isFault) ?? 0
    let first = max(0, fault - Self.before)
    let omitted = first == 0 ? [] : [ConversationRow(line: nil, expected: "…", came: ["…"])]
    return omitted + rows[first...]
  }
}

// MARK: How it is written

extension ConversationRecord {
  /// What a line does, with its bytes.
  func text(of step: Step) -> String {
    switch step.action {
    case .write(let value, let attribute, _):
      let mark = step.text.prefix { $0 != " " && $0 != "\t" }
      return "\(mark) \(definition.name(of: attribute))  \(ValueText.write(value))"
    case .putIntoWire(let bytes): return "] wire  \(ValueText.write(bytes))"
    default: return step.text
    }
  }

  func text(of arrival: Arrival, like pattern: ValuePattern? = nil) -> String {
    switch arrival.source {
    case .disconnection: "disconnected"
    case .wire: "[ wire  " + text(of: arrival.bytes, like: pattern)
    case .characteristic(let index):
      "< \(definition.characteristics[index].id)  " + text(of: arrival.bytes, like: pattern)
    }
  }

  /// A value in hex, and as the message that it is, or as text.
  func text(of value: [UInt8], like pattern: ValuePattern?) -> String {
    var messages = definition.namedMessages.filter(\.hasLiteral)
    if case .message(let pattern) = pattern { messages = [pattern.message] + messages }
    for message in messages {
      guard let fields = message.parse(value) else { continue }
      return "\(HexText.format(value))  \(ValueText.write(message, fields))"
    }
    return ValueText.write(value)
  }
}

extension MessageTemplate {
  /// Whether something in it tells it from others: what has none is any bytes.
  fileprivate var hasLiteral: Bool {
    leadingBytes.contains { $0.mask == 0xFF }
  }
}
