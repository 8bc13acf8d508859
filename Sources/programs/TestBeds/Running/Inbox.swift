import Behavior
import Bluetooth
import EventLoop
import Framing
import Peripheral
import Transcripts

/// Holds a device's output, in order, until a line of the transcript takes it.
@EventLoop
package final class Inbox {
  package private(set) var arrivals: [Arrival] = []
  /// What no line has expected yet, and may pass over: the messages of rules, and what the device has sent and received.
  private var noted: [Arrival.Source: [Arrival]] = [:]
  private var remarks: [LogRemark] = []
  /// The number of arrivals and messages of rules so far.
  package private(set) var count = 0
  /// The number of arrivals and remarks so far.
  package private(set) var outputCount = 0
  /// Called after each arrival and each message of a rule.
  package var onArrival: (() -> Void)?

  /// The most arrivals and remarks kept, more than any transcript takes.
  private static let capacity = 100_000

  package init() {}

  package func append(_ arrival: Arrival) {
    count += 1
    outputCount += 1
    if arrivals.count < Self.capacity { arrivals.append(arrival) }
    onArrival?()
  }

  package func append(_ remark: LogRemark) {
    outputCount += 1
    if remarks.count < Self.capacity { remarks.append(remark) }
  }

  /// Adds a message of a rule.
  func append(logged text: String, at time: Instant) {
    append(LogRemark(time: time, text: "* " + text))
    append(noted: Arrival(at: time, from: .log, Array(text.utf8)))
  }

  /// Adds what a line may expect or pass over.
  func append(noted arrival: Arrival) {
    if noted[arrival.source, default: []].count < Self.capacity {
      noted[arrival.source, default: []].append(arrival)
    }
    count += 1
    onArrival?()
  }

  /// Removes and returns the first one from a source that matches, and removes those before it.
  func takeNoted(from source: Arrival.Source, _ matches: (Arrival) -> Bool) -> Arrival? {
    guard let index = noted[source]?.firstIndex(where: matches), let found = noted[source]?[index] else {
      return nil
    }
    noted[source]?.removeFirst(index + 1)
    if source == .log { remarks.removeAll { $0.time == found.time && $0.text == found.remark } }
    return found
  }

  /// Removes and returns the arrival to compare with a line that expects output from `source`.
  ///
  /// - Parameter inOrder: whether to take the first arrival, whatever its source.
  package func take(for source: Arrival.Source, inOrder: Bool) -> Arrival? {
    let index = inOrder ? arrivals.indices.first : arrivals.firstIndex { $0.source.isOrdered(with: source) }
    return index.map { arrivals.remove(at: $0) }
  }

  /// Removes the arrivals that no line needs to take.
  package func remove(where isRedundant: (Arrival) -> Bool) { arrivals.removeAll(where: isRedundant) }

  /// Removes and returns all arrivals.
  package func takeArrivals() -> [Arrival] {
    defer { arrivals = [] }
    return arrivals
  }

  package func takeRemarks() -> [LogRemark] {
    defer { remarks = [] }
    return remarks
  }

  package func clear() {
    arrivals = []
    remarks = []
    noted = [:]
  }
}

extension Arrival.Source {
  /// Whether every test bed delivers output of the two in the order in which the device sent it.
  fileprivate func isOrdered(with other: Self) -> Bool {
    if isNoted || other.isNoted { return false }  // they have queues of their own
    return switch (self, other) {
    case (.place(.wire), _), (_, .place(.wire)): self == other
    case (.other(let one, let source), .other(let another, let further)):
      one == another && source.isOrdered(with: further)
    case (.other, _), (_, .other): false
    case (.disconnection, _), (_, .disconnection): true
    case (.place(.channel(let one)), .channelEnd(let other)),
      (.channelEnd(let one), .place(.channel(let other))):
      one == other
    default: self == other
    }
  }
}

/// Collects a device's log entries, passkeys, warnings and errors as remarks, and notes what it sends and receives.
@EventLoop
package final class RemarkSink: TrafficSink {
  private let inbox: Inbox

  package init(_ inbox: Inbox) {
    self.inbox = inbox
  }

  package var takesFrames: Bool { true }

  package func take(_ event: TrafficEvent) {
    if let arrival = Arrival(ofDevice: event) { return inbox.append(noted: arrival) }
    switch event.kind {
    case .log(let text): inbox.append(logged: text, at: event.time)
    case .passkeyShown(_, let passkey): remark("* the passkey is \(Passkey.text(of: passkey))", event.time)
    case .warning(let text, let attribute, let bytes):
      let about = attribute.map { "\($0)  \(ValueText.write(bytes))  " } ?? ""
      remark("! \(about)\(text)", event.time)
    case .error(let text): remark("! error: \(text)", event.time)
    case .fault(let strike):
      let about = strike.place.map { "\($0)  \(ValueText.write(strike.value ?? []))  " } ?? ""
      remark("~ \(about)\(strike.fault)", event.time)
    default: break
    }
  }

  private func remark(_ text: String, _ time: Instant) { inbox.append(LogRemark(time: time, text: text)) }
}
