import BlemuControl
import Definitions
import DeviceModel
import EventLoop
import Framing
import BlemuJSON
import Peripheral
import Transcripts

/// Explains why an expectation was not met: a sentence, and both sides as `blemu test` shows them.
@EventLoop
struct ExpectationReport {
  private let expectation: JournalExpectation
  private let journal: Journal
  private let words: EventText
  private let start: Instant

  /// - Parameter definition: the device's.
  init(_ expectation: JournalExpectation, _ journal: Journal, of definition: PeripheralDefinition) {
    self.expectation = expectation
    self.journal = journal
    words = EventText(definition)
    start = journal.entries(after: 0, most: 1).first?.event.time ?? Instant()
  }

  /// - Parameters:
  ///   - verdict: nil: the time is over.
  ///   - context: what conditions see now.
  func error(_ verdict: JournalExpectation.Verdict?, present context: EvaluationContext?) -> ControlError {
    if verdict == .unknown {
      return ControlError(
        .notMet, unknownSentence, comparison: FailureText.table([forgottenRow] + matchedRows))
    }
    let rows = matchedRows + (verdict == nil ? missingRows : [])
    let condition = verdict == nil ? expectation.awaited.condition : nil
    let message = condition.map { sentence($0, context) } ?? sentence(verdict)
    return ControlError(
      .notMet, message + forgotten, hint: verdict == nil ? earlierHint : nil,
      comparison: FailureText.table(rows))
  }

  /// Names the event that would meet the expectation but came too early; nil: there is none.
  private var earlierHint: String? {
    let expected = expectation.expected
    guard !expected.isStartGiven, expected.patterns.count == 1 || expectation.matches.isEmpty,
      let event = journal.entries(after: 0).last(where: {
        $0.number <= expected.after && expectation.awaited.compare(with: $0.event.kind) == .matches
      })
    else { return nil }
    return "event \(event.number) would meet it, but came before the last act or expectation: "
      + "'after \(event.number - 1)' counts it"
  }

  // MARK: The sentence

  private func sentence(_ verdict: JournalExpectation.Verdict?) -> String {
    let line = "'\(expectation.awaited.text)'"
    let expected = expectation.expected
    if case .exceeded(let number) = verdict {
      return expected.most == 0
        ? "\(line) came, as event \(number)"
        : "\(line) came more than \(Self.times(expected.most ?? 0)): the last is event \(number)"
    }
    let count = expectation.matches.count
    let came =
      expected.patterns.count == 1 && count > 0
      ? "\(line) came \(Self.times(count)), not \(Self.times(expected.least))" : "\(line) did not come"
    let near = expectation.nearMiss.map { "; in event \($0.number), \($0.reason)" } ?? ""
    return came + time + near
  }

  private func sentence(_ condition: DeviceCondition, _ context: EvaluationContext?) -> String {
    let values = condition.names.compactMap { name in
      context.flatMap { try? name.expression.evaluate(in: $0) }.map {
        "\(name.name) is \(JSONValue($0).line)"
      }
    }
    let present = values.isEmpty ? "" : ": \(values.joined(separator: ", "))"
    return "'\(expectation.awaited.text)' is not true\(time)\(present)"
  }

  /// The journal no longer contains all events.
  private var unknownSentence: String {
    let start = expectation.expected.after
    return "cannot count '\(expectation.awaited.text)': the journal no longer contains "
      + forgottenEvents + (start > 0 ? " after event \(start)" : "")
      + "; 'after \(journal.first - 1)' counts only those that it keeps"
  }

  private var forgottenEvents: String {
    expectation.forgotten == 1 ? "1 event" : "\(expectation.forgotten) events"
  }

  /// How long it was awaited.
  private var time: String {
    expectation.expected.time > .zero ? " within \(expectation.expected.time.inSeconds) s" : ""
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private var forgotten: String {
    expectation.forgotten > 0 ? "; the journal had forgotten \(expectation.forgotten) events before" : ""
  }

  // MARK: Both sides

  /// The most events that were not expected, and the most that were, that a report shows.
  private static let mostShown = 12

  private var forgottenRow: ConversationRow {
    ConversationRow(
      line: nil, expected: expectation.awaited.text, actual: ["… \(forgottenEvents) forgotten"],
      isFailure: true)
  }

  private var matchedRows: [ConversationRow] {
    let patterns = expectation.expected.patterns
    return expectation.matches.enumerated().suffix(Self.mostShown).map { index, number in
      let pattern = patterns[min(index, patterns.count - 1)]
      let most = expectation.expected.most
      return row(number, expected: pattern.text, isFailure: most.map { index >= $0 } ?? false)
    }
  }

  /// The missing line, and the events that occurred instead.
  private var missingRows: [ConversationRow] {
    let after = expectation.matches.last ?? expectation.expected.after
    let others = journal.entries(after: after).filter { words.text(of: $0.event.kind) != nil }
    let shown = others.suffix(Self.mostShown)
    let omitted = others.count - shown.count
    var rows = [
      ConversationRow(
        line: nil, expected: expectation.awaited.text, actual: omitted > 0 ? ["… \(omitted) more"] : [],
        isFailure: true)
    ]
    rows += shown.map { row($0.number, expected: "", isFailure: false) }
    rows += expectation.expected.patterns.dropFirst(expectation.place + 1).map {
      ConversationRow(line: nil, expected: $0.text, actual: [])
    }
    return rows
  }

  private func row(_ number: Int, expected: String, isFailure: Bool) -> ConversationRow {
    let entry = journal.entries(after: number - 1, most: 1).first.flatMap { $0.number == number ? $0 : nil }
    return ConversationRow(
      line: number, expected: expected, time: entry.map { start.duration(to: $0.event.time) },
      actual: entry.flatMap { words.text(of: $0.event.kind) }.map { [$0] } ?? [], isFailure: isFailure)
  }
}
