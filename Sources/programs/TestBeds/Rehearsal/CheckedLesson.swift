import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Learning

/// A learnt device that has been compared with the conversations from which it was learnt.
@EventLoop
package struct CheckedLesson {
  package let lesson: Learner.Lesson
  package var definition: PeripheralDefinition { lesson.definition.device }
  /// ``Learner/ownAddress``
  let ownAddress: DeviceAddress?
  /// How it answers what it was learnt from.
  package let result: RehearsalResult

  /// Learns. A characteristic whose messages and rules send something else than the recording, or leave a recorded request without
  /// its answer, answers as recorded.
  ///
  /// - Parameters:
  ///   - name: that of the device.
  ///   - origin: where the recordings come from, a line each.
  ///   - conversations: those to learn from.
  /// - Throws: ``TransportError`` if the device cannot start.
  package static func learn(
    _ learner: Learner, as style: Learner.Style, name: String, origin: [String],
    from conversations: [Conversation]
  ) async throws -> Self {
    let layered = try await learn(
      learner, as: style, name: name, origin: origin, from: conversations, joiningFragments: true)
    let fragmented = Set(layered.lesson.fragmentations.map(\.handle))
    guard !fragmented.isEmpty, layered.differentConversations > 0 else { return layered }
    // Whole messages may explain less than all: then they answer as recorded, or fragments do.
    var best = layered
    for (excluded, joins) in [(fragmented, true), ([], false)] {
      let other = try await learn(
        learner, as: style, name: name, origin: origin, from: conversations, joiningFragments: joins,
        except: excluded)
      if other.differentConversations < best.differentConversations { best = other }
    }
    return best
  }

  private static func learn(
    _ learner: Learner, as style: Learner.Style, name: String, origin: [String],
    from conversations: [Conversation], joiningFragments joins: Bool, except first: Set<AttributeHandle> = []
  ) async throws -> Self {
    var excluded = first
    while true {
      let checked = try await Self(learner, style, name, origin, conversations, except: excluded, joins)
      let silent = checked.result.silentHandles(in: conversations, learner.table, checked.definition)
      let wrong = checked.wrongHandles.union(silent).intersection(checked.lesson.explained)
        .subtracting(excluded)
      if wrong.isEmpty { return checked }
      excluded.formUnion(wrong)
    }
  }

  private init(
    _ learner: Learner, _ style: Learner.Style, _ name: String, _ origin: [String],
    _ conversations: [Conversation], except excluded: Set<AttributeHandle>, _ joins: Bool
  ) async throws {
    lesson = learner.learn(
      style, name: name, origin: origin, from: conversations, except: excluded, joiningFragments: joins)
    ownAddress = learner.ownAddress
    result = try await Self.compare(
      conversations, learner.table, with: lesson.definition.device, cut: lesson.cuts,
      lesson.fragmentations, address: ownAddress)
  }

  /// Plays conversations with a device, and compares. Of framed characteristics, frames count, not the values that they are
  /// cut into.
  ///
  /// - Parameters:
  ///   - cuts: by the handles of the values.
  ///   - fragmentations: whose messages count, not their fragments.
  ///   - address: that of the adapter of the device; nil: any.
  ///   - start: what comes before it is played and not compared; nil: everything is compared.
  package static func compare(
    _ conversations: [Conversation], _ table: ObservedTable, with definition: PeripheralDefinition,
    cut cuts: [AttributeHandle: StreamCut], _ fragmentations: [Fragmentation] = [],
    from start: Instant? = nil, address: DeviceAddress? = nil
  ) async throws -> RehearsalResult {
    let played = try await Rehearsal.play(
      conversations, table: table, with: definition, address: address)
    let sent = fragmentations.filter(\.isOfDevice)
    return RehearsalResult(
      recorded: conversations.joined(by: sent).joined(by: cuts, for: definition),
      got: played.joined(by: sent).joined(by: cuts, for: definition), from: start, definition: definition)
  }

  /// How many conversations the device leads in another way than recorded; bytes that come from the recording do not count.
  private var differentConversations: Int {
    let right: [RehearsalResult.Verdict] = [.asRecorded, .rightForm]
    let wrong =
      result.values.filter { !right.contains($0.verdict) }.map(\.conversation)
      + result.responses.filter { !right.contains($0.verdict) }.map(\.conversation)
    return Set(wrong + result.reordered).count
  }

  /// The characteristics of which more than one value in ten is not even in the right form, or has no place in the recording.
  private var wrongHandles: Set<AttributeHandle> {
    var counts: [AttributeHandle: (wrong: Int, all: Int)] = [:]
    for value in result.values {
      let isWrong = ![.asRecorded, .rightForm, .alike].contains(value.verdict)
      counts[value.handle, default: (0, 0)].wrong += isWrong ? 1 : 0
      counts[value.handle, default: (0, 0)].all += 1
    }
    return Set(counts.filter { $0.value.wrong * 10 > $0.value.all }.keys)
  }
}

extension RehearsalResult {
  /// A value that comes later after a request need not be its answer.
  private static let latestAnswer = Duration.milliseconds(500)
  /// How much later than recorded an answer may come: a stream may begin with its next value.
  private static let patience = Duration.milliseconds(1500)

  private struct Request: Hashable {
    var handle: AttributeHandle
    var value: [UInt8]
  }

  /// The characteristics with a request that was never followed by a message like its first answer, with those that answer, by the
  /// handles of their values.
  fileprivate func silentHandles(
    in recorded: [Conversation], _ table: ObservedTable, _ definition: PeripheralDefinition
  ) -> Set<AttributeHandle> {
    let messages = definition.recognizableMessages
    var answers: [Request: (handles: Set<AttributeHandle>, isAnswered: Bool)] = [:]
    let values = Dictionary(grouping: values, by: \.conversation)
    for (index, conversation) in recorded.enumerated() {
      let requests = conversation.exchanges.compactMap { exchange -> (time: Instant, request: Request)? in
        guard case .write(let value, _, _) = exchange.kind,
          table.characteristic(of: exchange.handle)?.valueHandle == exchange.handle
        else { return nil }
        return (exchange.time, Request(handle: exchange.handle, value: value))
      }
      let sent = (values[index] ?? []).filter { $0.recorded != nil }
        .sorted { ($0.recorded?.time ?? Instant()) < ($1.recorded?.time ?? Instant()) }
      let got = (values[index] ?? []).compactMap(\.got)
      var rest = sent[...]
      for (number, (time, request)) in requests.enumerated() {
        rest = rest.drop { $0.recorded.map { $0.time < time } == true }
        let next = number + 1 < requests.count ? requests[number + 1].time : nil
        guard let value = rest.first, let answered = value.recorded?.time,
          time.duration(to: answered) <= Self.latestAnswer, next.map({ answered < $0 }) != false
        else { continue }
        answers[request, default: ([], false)].handles.formUnion([request.handle, value.handle])
        let limit = answered.advanced(by: Self.patience)
        let isAnswered = got.contains {
          $0.handle == value.handle && $0.time >= time && $0.time <= limit
            && value.isLike($0, among: messages)
        }
        if isAnswered { answers[request]?.isAnswered = true }
      }
    }
    return answers.values.filter { !$0.isAnswered }.reduce(into: []) { $0.formUnion($1.handles) }
  }
}

extension RehearsalResult.Value {
  /// Whether the device sent the same message: one that describes both or, if none describes it, one of its length and opcode.
  fileprivate func isLike(_ got: Exchange, among messages: [MessageTemplate]) -> Bool {
    guard let recorded = recorded?.value, let sent = got.value else { return false }
    let own = messages.filter { $0.parse(recorded) != nil }
    return own.isEmpty ? recorded.isAlike(sent) : own.contains { $0.parse(sent) != nil }
  }
}

/// The transcript of a learnt device has mistakes, which is a bug of the learner.
package struct LessonError: Error, Hashable, Sendable {
  /// The mistakes, for people.
  package var report: String
}
