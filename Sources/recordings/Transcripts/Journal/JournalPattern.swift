import Behavior
import Bluetooth
import Definitions
import DeviceModel

/// A line that is expected of a running device's journal, in the words of transcripts: `> serial day-request month=1`.
package struct JournalPattern: Sendable {
  package enum Subject: Sendable {
    /// A central writes; nil: any value, in any way.
    case write(String, ValuePattern?, WriteKind?)
    /// A central gets a notification or an indication.
    case value(String, ValuePattern?)
    /// The device sends or receives a value, whatever faults do to it; the place may be the wire side.
    case sent(String, ValuePattern?)
    case received(String, ValuePattern?)
    case read(String, ValuePattern?)
    case wireIn(ValuePattern?)
    case wireOut(ValuePattern?)
    /// A request was refused.
    case refusal(ATTError)
    /// A rule's text.
    case log(BytePattern)
    /// A problem in the log.
    case warning(BytePattern)
    case connection, disconnection
    case subscription(String), unsubscription(String)
    case pairing, bonding
    /// The device was operated from outside with these words, or with words that begin like this.
    case control(OperationPattern)
    /// A fault was applied whose text is this, or begins like this.
    case fault(String)
    /// A condition on the device is true.
    case condition(DeviceCondition)
  }

  package var subject: Subject
  /// The line as it was written.
  package var text: String
}

/// The result of comparing an event with an expected line.
package enum JournalComparison: Hashable, Sendable {
  case matches
  /// An event of the same kind at the same place, but different, as in `packets is 5, not 6`.
  case differs(String)
  /// Something else.
  case isOther
}

extension JournalPattern {
  /// Compares it with an event. A ``Subject/condition(_:)`` is never an event.
  package func compare(with event: TrafficEvent.Kind) -> JournalComparison {
    switch subject {
    case .write(let id, let pattern, let kind):
      if case .write(_, _, _, let actual, _) = event.withoutSide, let kind, actual != kind,
        let passage = event.passage, passage.place == id, passage.concerns(.peer)
      {
        return .differs("it is a write \(actual?.rawValue ?? "of an unknown kind")")
      }
      return compare(event.passage, .toDevice, id, pattern, isOfKind: kind == nil)
    case .value(let id, let pattern): return compare(event.passage, .fromDevice, id, pattern)
    case .sent(let id, let pattern): return compare(event.passage, .fromDevice, id, pattern, side: .device)
    case .received(let id, let pattern): return compare(event.passage, .toDevice, id, pattern, side: .device)
    case .read(let id, let pattern): return compare(event.passage, .read, id, pattern)
    case .wireIn(let pattern): return compare(event.passage, .toDevice, "wire", pattern)
    case .wireOut(let pattern): return compare(event.passage, .fromDevice, "wire", pattern)
    case .refusal(let error):
      guard let actual = event.refusal else { return .isOther }
      return actual == error ? .matches : .differs("it is refused with \(actual.name)")
    case .log(let pattern):
      guard case .log(let text) = event else { return .isOther }
      return Self.compare(.bytes(pattern), Array(text.utf8))
    case .warning(let pattern):
      guard case .warning(let text, _, _) = event else { return .isOther }
      return Self.compare(.bytes(pattern), Array(text.utf8))
    case .control(let pattern):
      guard case .controlled(let operation) = event else { return .isOther }
      return pattern.matches(operation) ? .matches : .differs("it is '\(operation.words)'")
    case .fault(let text):
      guard case .fault(let strike) = event else { return .isOther }
      return strike.fault == text || strike.fault.hasPrefix(text + " ")
        ? .matches : .differs("it is '\(strike.fault)'")
    case .connection, .disconnection, .subscription, .unsubscription, .pairing, .bonding:
      return isLink(event) ? .matches : .isOther
    case .condition: return .isOther
    }
  }

  /// - Parameters:
  ///   - side: the side that must have it like this.
  ///   - isOfKind: whether the frame of several values also counts.
  private func compare(
    _ passage: Passage?, _ direction: Passage.Direction, _ place: String, _ pattern: ValuePattern?,
    side: TrafficEvent.Side = .peer, isOfKind: Bool = true
  ) -> JournalComparison {
    guard let passage, passage.direction == direction, passage.place == place, passage.concerns(side) else {
      return .isOther
    }
    guard passage.isDerived else { return Self.compare(pattern, passage.bytes) }
    // A line may expect the values or their frame, so a value that differs is not a near miss.
    guard isOfKind, let pattern else { return .isOther }
    return Self.compare(pattern, passage.bytes) == .matches ? .matches : .isOther
  }

  private static func compare(_ pattern: ValuePattern?, _ value: [UInt8]) -> JournalComparison {
    pattern?.difference(from: value).map { .differs($0) } ?? .matches
  }

  /// Whether an event is this one of a link.
  private func isLink(_ event: TrafficEvent.Kind) -> Bool {
    switch (subject, event) {
    case (.connection, .connected), (.disconnection, .disconnected), (.pairing, .paired), (.bonding, .bonded):
      true
    case (.subscription(let id), .subscribed(_, let actual)),
      (.unsubscription(let id), .unsubscribed(_, let actual)):
      id == actual
    default: false
    }
  }

  /// The condition, if it is one.
  package var condition: DeviceCondition? {
    if case .condition(let condition) = subject { condition } else { nil }
  }
}

extension TrafficEvent.Kind {
  /// The error with which a request was refused.
  fileprivate var refusal: ATTError? {
    switch withoutSide {
    case .write(_, _, _, _, let error), .read(_, _, _, let error): error
    default: nil
    }
  }
}
