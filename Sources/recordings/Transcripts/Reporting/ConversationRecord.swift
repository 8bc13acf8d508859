import Behavior
import DeviceModel
import Framing

/// Records the expected and the actual conversation, line by line, to explain a failure.
package struct ConversationRecord {
  /// How its lines are spelt.
  package let words: TranscriptText
  private var rows: [ConversationRow] = []
  private var hasUnexpected = false
  /// The time at which the section began.
  package var start = Instant()

  package init(_ definition: PeripheralDefinition) { words = TranscriptText(definition, .short) }

  /// Adds a line of the transcript, with the actual event if that is known.
  package mutating func begin(_ step: Step, at time: Instant? = nil, _ text: String? = nil) {
    rows.append(
      ConversationRow(
        line: step.line, expected: Excerpt.line(step.text), time: time.map(sinceStart),
        actual: text.map { [$0] } ?? []))
  }

  /// Adds output that the last line takes.
  package mutating func add(_ arrival: Arrival, like pattern: ValuePattern?) {
    let last = rows.count - 1
    rows[last].time = rows[last].time ?? sinceStart(arrival.time)
    rows[last].actual.append(words.line(of: arrival, like: pattern))
  }

  /// Adds a repetition that arrived before the output that the last line waits for.
  package mutating func addRepetition(_ arrival: Arrival) {
    rows.insert(row(actual: words.line(of: arrival), at: arrival.time), at: rows.count - 1)
  }

  /// Removes a message of a rule that a line takes.
  package mutating func forget(_ message: Arrival) {
    guard message.source == .log else { return }
    let row = row(actual: message.remark, at: message.time)
    rows.removeAll { $0 == row }
  }

  /// Shows only the part in which a long value differs from the one that the last line expects.
  package mutating func contrast(_ value: [UInt8], with pattern: ValuePattern, mark: String) {
    guard let (expected, found) = pattern.excerpts(comparedWith: value) else { return }
    rows[rows.count - 1].expected = mark + expected
    rows[rows.count - 1].actual = [mark + found]
  }

  /// Marks the last line as the one that fails.
  package mutating func markFailure(_ text: String? = nil) {
    rows[rows.count - 1].isFailure = true
    if let text { rows[rows.count - 1].actual.append(text) }
  }

  /// Marks the next output as the one that no line expects.
  package mutating func markUnexpected() { hasUnexpected = true }

  package mutating func take(_ remarks: [LogRemark]) {
    rows += remarks.map { row(actual: $0.text, at: $0.time) }
  }

  private func row(actual text: String, at time: Instant) -> ConversationRow {
    ConversationRow(line: nil, expected: "", time: sinceStart(time), actual: [text])
  }

  private func sinceStart(_ time: Instant) -> Duration { start.duration(to: time) }
}

// MARK: The end

extension ConversationRecord {
  /// How many rows the excerpt has before the failure, and how many lines and outputs after it.
  private static let (before, next, rest) = (6, 2, 4)

  /// Adds the next lines of the transcript, and the output that no line has taken.
  package mutating func finish(next: ArraySlice<Step>, rest: [Arrival]) {
    var output = rest.prefix(Self.rest).map { row(actual: words.line(of: $0), at: $0.time) }
    if hasUnexpected, !output.isEmpty { output[0].isFailure = true }
    if rest.count > Self.rest {
      output.append(ConversationRow(line: nil, expected: "", actual: ["… \(rest.count - Self.rest) more"]))
    }
    rows += output
    rows += next.prefix(Self.next).map {
      ConversationRow(line: $0.line, expected: Excerpt.line($0.text), actual: [])
    }
  }

  /// The rows around the failure.
  package var excerpt: [ConversationRow] {
    let failure = rows.firstIndex(where: \.isFailure) ?? 0
    let first = max(0, failure - Self.before)
    let omitted = first == 0 ? [] : [ConversationRow(line: nil, expected: "…", actual: ["…"])]
    return omitted + rows[first...]
  }
}

// MARK: Text

extension ConversationRecord {
  /// An action with its bytes.
  package func text(of step: Step) -> String {
    switch step.action {
    case .write(let value, let attribute, _):
      let mark = step.text.prefix { $0 != " " && $0 != "\t" }
      return "\(mark) \(words.definition.name(of: attribute))  \(words.plain(value))"
    case .transmit(let bytes, let channel):
      return "> \(words.definition.channels[channel].id)  \(words.plain(bytes))"
    case .tell(let bytes, let sought): return "> \(words.definition.sought[sought].id)  \(words.plain(bytes))"
    case .sendPDU(let packet): return ">> \(PDUText.write(packet))"
    case .putIntoWire(let bytes): return "] wire  \(words.plain(bytes))"
    default: return Excerpt.line(step.text)
    }
  }
}
