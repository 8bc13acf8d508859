import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Framing
import Learning
import Transcripts

/// The recorded conversations of a learnt device as a transcript: a section for each connection, with what was recorded also where
/// the learnt device does something else.
package struct RecordedTranscript: Sendable {
  package let text: String
  /// Of its sections, with the learnt device, in memory.
  package let results: [SectionResult]
  /// The numbers of sections that expect something of the device, and of those that pass.
  package let expecting: (passed: Int, all: Int)
  /// The numbers of the connections of which it has only the beginning, from 1.
  package let cut: [Int]

  /// `2 of 3 sections pass`. A section that expects nothing does not count.
  package var summary: String {
    let rest = results.count - expecting.all
    if expecting.all == 0 { return "no section expects an answer of the device" }
    return "\(expecting.passed) of \(expecting.all) sections pass"
      + (rest == 0 ? "" : "; \(rest) \(rest == 1 ? "expects" : "expect") no answer")
  }

  /// Where sections fail, a sentence each.
  package var failures: [String] {
    results.compactMap { result in
      result.failure.map { "\(result.title) differs in line \($0.line): \($0.message)." }
    }
  }

  /// The most bytes of all conversations together. A parser takes twice as many.
  private static let limit = 1 << 19

  /// - Returns: nil if nothing was read, written or sent.
  /// - Throws: ``LessonError`` if the transcript has mistakes, ``TransportError`` if the device cannot start.
  @EventLoop
  package init?(
    of checked: CheckedLesson, _ conversations: [Conversation], _ table: ObservedTable
  ) async throws {
    let parts = Self.parts(of: conversations, table, checked)
    guard !parts.isEmpty else { return nil }
    let run = try await Self.joined(parts, checked) {
      try await Rehearsal.variables(
        before: conversations, table: table, of: checked.definition, address: checked.ownAddress)
    }
    (text, results) = (run.text, run.results)
    let expecting = zip(run.sections, run.results).filter { $0.0.expectsAnswers }.map(\.1)
    self.expecting = (expecting.count { $0.failure == nil }, expecting.count)
    cut = parts.filter(\.isCut).map { $0.index + 1 }
  }

  /// A connection that has something to say.
  private struct Part: Equatable {
    /// The index of its conversation.
    var index: Int
    var lines: [String] = []
    /// The variables of the device, by index, as the connection shows them first.
    var shown: [Int: Value] = [:]
    var isCut = false

    /// The connection to a device that has these variables already; nil: they are as at the start.
    func remembering(_ variables: [Value], _ definition: PeripheralDefinition) -> Part? {
      let changes = zip(definition.variables, variables).enumerated().filter { _, pair in
        !pair.0.isPerCentral && pair.0.initial != pair.1
      }
      guard !changes.isEmpty else { return nil }
      let assignments = changes.map { index, pair in
        Operation.Assignment(.init(.variable(index), pair.1), in: definition)
      }
      let setting = Operation.set(assignments).words
      guard (try? LineParser(definition).parse(setting)) != nil else { return nil }
      var part = self
      // The device starts with the first action, and its variables have their first values then.
      part.lines = ["+1ms", setting] + lines
      return part
    }
  }

  /// Short conversations leave room to longer ones.
  @EventLoop
  private static func parts(
    of conversations: [Conversation], _ table: ObservedTable, _ checked: CheckedLesson
  ) -> [Part] {
    let order = conversations.indices.filter { !conversations[$0].exchanges.isEmpty }
      .sorted { conversations[$0].exchanges.count < conversations[$1].exchanges.count }
    var (room, parts) = (limit, [Part]())
    for (place, index) in order.enumerated() {
      var text = ConversationText(of: table, for: checked.definition, address: checked.ownAddress)
      let conversation = conversations[index]
      let joined =
        [conversation].joined(by: checked.lesson.cuts, for: checked.definition).first ?? conversation
      text.write(
        joined.decoded(by: checked.lesson.encodings), mtu: conversation.mtu,
        upTo: room / (order.count - place))
      room -= text.size
      parts.append(
        Part(
          index: index, lines: text.lines, shown: checked.definition.variables(shownIn: joined),
          isCut: text.omitted > 0))
    }
    return parts.sorted { $0.index < $1.index }
  }
}

// MARK: Sections

@EventLoop
extension RecordedTranscript {
  /// A transcript with its sections and their results.
  private struct Run {
    var text: String
    var sections: [Transcript.Section]
    var results: [SectionResult]
  }

  /// A device remembers what was said on an earlier connection, but each section begins with a fresh device. So if a connection
  /// is right only after others, it begins with the variables of that time; a counter, which goes on while nobody records, with the
  /// number that the connection shows. If that does not suffice, those that are right become one section.
  ///
  /// - Parameter variables: returns those before each conversation.
  private static func joined(
    _ recorded: [Part], _ checked: CheckedLesson, variables: () async throws -> [[Value]]
  ) async throws -> Run {
    var (parts, alone) = (recorded, try await run(recorded.map { [$0] }, checked))
    guard alone.results.contains(where: { $0.failure != nil }) else { return alone }
    let variables = try await variables()
    for (index, result) in alone.results.enumerated() where result.failure != nil {
      let part = parts[index]
      let state = variables[part.index].enumerated().map { part.shown[$0] ?? $1 }
      guard let remembered = part.remembering(state, checked.definition) else { continue }
      if try await run([[remembered]], checked).results[0].failure == nil { parts[index] = remembered }
    }
    if parts != recorded { alone = try await run(parts.map { [$0] }, checked) }
    let right = parts.filter { checked.result.isAsRecorded($0.index) }
    let failed = zip(parts, alone.results).filter { $1.failure != nil }.map(\.0.index)
    guard let last = right.last(where: { failed.contains($0.index) })?.index else { return alone }
    let group = right.filter { $0.index <= last }
    let others = parts.filter { part in !group.contains { $0.index == part.index } }
    let together = try await run([group] + others.map { [$0] }, checked)
    return together.results[0].failure == nil ? together : alone
  }

  /// The transcript with these sections, and their results.
  private static func run(
    _ groups: [[Part]], _ checked: CheckedLesson
  ) async throws -> Run {
    let text = text(of: groups, name: checked.definition.name)
    let source = SourceText(name: "transcript", text: text)
    let transcript = try TranscriptParser.parse(source, for: checked.definition)
      .mapError { LessonError(report: $0.report) }.get()
    var results: [SectionResult] = []
    for section in transcript.sections {
      let runner = SectionRunner(section, of: checked.definition, on: LoopbackTestBed())
      results.append(try await runner.run(settings: checked.definition.settings.map(\.initial)))
    }
    return Run(text: text, sections: transcript.sections, results: results)
  }

  private static func text(of groups: [[Part]], name: String) -> String {
    let head =
      "# The recorded conversations with \(name): what was recorded, also where the learnt device does something else.\n"
    return head
      + groups.map { parts in
        let lines = parts.map(\.lines).joined(separator: ["+1s"])
        return "\n== \(title(of: parts.map(\.index)))\n" + lines.map { $0 + "\n" }.joined()
      }.joined()
  }

  /// `Connection 2`, `Connections 1 to 5`, `Connections 1, 3`
  private static func title(of indices: [Int]) -> String {
    guard let first = indices.first, let last = indices.last, first < last else {
      return "Connection \((indices.first ?? 0) + 1)"
    }
    let isRow = last - first == indices.count - 1
    return "Connections "
      + (isRow ? "\(first + 1) to \(last + 1)" : indices.map { "\($0 + 1)" }.joined(separator: ", "))
  }
}

extension Transcript.Section {
  /// Whether the device must answer something.
  fileprivate var expectsAnswers: Bool {
    steps.contains { step in
      switch step.action {
      case .expect, .expectRead, .expectRefusal: true
      case .write(_, _, let kind): kind != .command
      default: false
      }
    }
  }
}

extension PeripheralDefinition {
  /// The variables that messages have as they are, by index, with their first values in a conversation.
  fileprivate func variables(shownIn conversation: Conversation) -> [Int: Value] {
    let fields = rules.flatMap(\.allSteps).flatMap { step -> [(message: Int, field: Int, variable: Int)] in
      guard case .send(.message(let message, let sources), _) = step.action else { return [] }
      return sources.enumerated().compactMap { field, source in
        guard case .value(.variable(let variable)) = source else { return nil }
        return (message, field, variable)
      }
    }
    var shown: [Int: Value] = [:]
    for value in conversation.exchanges.compactMap(\.value) {
      for (message, own) in Dictionary(grouping: fields, by: \.message) {
        guard let values = messages[message].parse(value) else { continue }
        for (_, field, variable) in own where shown[variable] == nil { shown[variable] = values[field] }
      }
    }
    return shown
  }
}
