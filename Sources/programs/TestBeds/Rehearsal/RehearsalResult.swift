import Bluetooth
import DeviceModel
import Framing
import Learning
import Transcripts

/// How far a device has answered as it should.
package struct RehearsalResult: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// Byte for byte.
    case asRecorded
    /// The same message, and all that the device computes is right: checksum, echo, counter, clock, setting. Only fields that come
    /// from the recording differ.
    case rightForm
    /// Other bytes of the same length, and the same first one, or of the same message: what the device computes is wrong, or it
    /// computes nothing.
    case alike
    case wrong
    /// The device has sent nothing in its place.
    case missing
    /// Nothing in the recording is in its place.
    case extra
  }

  /// The response to a read or a write.
  package struct Response: Hashable, Sendable {
    /// The index of its conversation.
    package var conversation: Int
    /// As recorded.
    package var request: Exchange
    package var got: Exchange.Kind
    package var verdict: Verdict
  }

  /// A notification or an indication.
  package struct Value: Hashable, Sendable {
    /// The index of its conversation.
    package var conversation: Int
    /// Of its characteristic, in the recording.
    package var handle: AttributeHandle
    /// With its time; nil: it is an extra one.
    package var recorded: Exchange?
    /// nil: it is missing.
    package var got: Exchange?
    package var verdict: Verdict
  }

  /// To each request whose response is known, in order.
  package var responses: [Response] = []
  /// By conversation and characteristic, in order.
  package var values: [Value] = []
  /// The conversations in which values of several characteristics have come in another order, by index.
  package var reordered: [Int] = []

  /// Compares conversations with those that a device has led with the same requests.
  ///
  /// - Parameters:
  ///   - start: exchanges of the recording before it do not count; nil: all count.
  ///   - definition: with the messages that both may be.
  package init(
    recorded: [Conversation], got: [Conversation], from start: Instant? = nil,
    definition: PeripheralDefinition
  ) {
    var messages = Messages(
      sent: SentMessages(of: definition), recognizable: definition.recognizableMessages)
    for (index, pair) in zip(recorded, got).enumerated() {
      let isCounted = { (exchange: Exchange) in start.map { exchange.time >= $0 } ?? true }
      compareRequests(of: pair.0, with: pair.1, at: index, &messages, isCounted)
      compareValues(of: pair.0, with: pair.1, at: index, &messages, isCounted)
    }
  }

  /// Whether every response and value of a conversation is as recorded.
  func isAsRecorded(_ conversation: Int) -> Bool {
    !reordered.contains(conversation)
      && responses.allSatisfy { $0.conversation != conversation || $0.verdict == .asRecorded }
      && values.allSatisfy { $0.conversation != conversation || $0.verdict == .asRecorded }
  }

  package var hasDifferences: Bool {
    responses.contains { $0.verdict != .asRecorded } || values.contains { $0.verdict != .asRecorded }
  }
}

// MARK: Requests

extension RehearsalResult {
  private mutating func compareRequests(
    of recorded: Conversation, with got: Conversation, at conversation: Int, _ messages: inout Messages,
    _ isCounted: (Exchange) -> Bool
  ) {
    let requests = zip(recorded.exchanges.filter { !$0.isValue }, got.exchanges.filter { !$0.isValue })
    for (request, played) in requests where isCounted(request) {
      guard let expected = request.outcome, expected != .unknown, let outcome = played.outcome else {
        continue
      }
      let verdict: Verdict =
        switch (expected, outcome) {
        case _ where expected == outcome: .asRecorded
        case (_, .unknown): .missing
        case (.success(let left), .success(let right)): messages.verdict(left, right, apart: .zero)
        default: .wrong
        }
      responses.append(
        Response(conversation: conversation, request: request, got: played.kind, verdict: verdict))
    }
  }
}

// MARK: Values

extension RehearsalResult {
  private mutating func compareValues(
    of recorded: Conversation, with got: Conversation, at conversation: Int, _ messages: inout Messages,
    _ isCounted: (Exchange) -> Bool
  ) {
    let (expected, played) = (recorded.exchanges.filter(\.isValue), got.exchanges.filter(\.isValue))
    let end = expected.last?.time
    var isComplete = true
    for handle in Set((expected + played).map(\.handle)).sorted() {
      messages.sent.restart()
      let alignment = ValueAlignment(
        expected.filter { $0.handle == handle }, played.filter { $0.handle == handle })
      for (left, right) in alignment.pairs {
        // The rehearsal waits a little longer for what is late.
        if left == nil, let right, let end, right.time > end { continue }
        guard (left ?? right).map(isCounted) == true else { continue }
        let verdict = Self.verdict(left, right, &messages)
        isComplete = isComplete && verdict == .asRecorded
        values.append(
          Value(conversation: conversation, handle: handle, recorded: left, got: right, verdict: verdict))
      }
    }
    if isComplete, !expected.map(\.handle).elementsEqual(played.prefix(expected.count).map(\.handle)) {
      reordered.append(conversation)
    }
  }

  private static func verdict(_ recorded: Exchange?, _ got: Exchange?, _ messages: inout Messages) -> Verdict
  {
    guard let recorded, let left = recorded.value else { return .extra }
    guard let got, let right = got.value else { return .missing }
    return messages.verdict(left, right, apart: recorded.time.duration(to: got.time))
  }
}

extension [UInt8] {
  /// Whether the other has the same length and opcode.
  func isAlike(_ other: [UInt8]) -> Bool { count == other.count && first == other.first }
}

/// The messages of a device.
private struct Messages {
  var sent: SentMessages
  let recognizable: [MessageTemplate]

  mutating func verdict(_ recorded: [UInt8], _ got: [UInt8], apart time: Duration) -> RehearsalResult.Verdict
  {
    if recorded == got {
      sent.restart()
      return .asRecorded
    }
    if sent.areAlike(recorded, got, apart: time) { return .rightForm }
    return recorded.isAlike(got)
      || recognizable.contains { $0.parse(recorded) != nil && $0.parse(got) != nil }
      ? .alike : .wrong
  }
}

extension Exchange {
  /// The value that the device sent.
  var value: [UInt8]? { if case .value(let value, _) = kind { value } else { nil } }

  /// The outcome of a request, empty for an accepted write; nil: it is none.
  var outcome: Outcome<[UInt8]>? {
    switch kind {
    case .read(let outcome): outcome
    case .write(_, _, .success): .success([])
    case .write(_, _, .refused(let error)): .refused(error)
    case .write(_, _, .unknown): .unknown
    case .value: nil
    }
  }
}
