import EventLoop
import Framing
import Peripheral

/// What has come out of a device, in order, until a line of the transcript takes it.
@EventLoop
package final class Inbox {
  /// Something that a person who looks for a mistake wants to know, and no line expects.
  package struct Remark: Sendable {
    package var time: Instant
    package var text: String

    package init(time: Instant, text: String) {
      self.time = time
      self.text = text
    }
  }

  package private(set) var arrivals: [Arrival] = []
  private var remarks: [Remark] = []
  /// How much has come in all; it grows with each arrival.
  package private(set) var count = 0
  /// Likewise with each arrival and each remark.
  package private(set) var newsCount = 0
  /// Is called after each arrival.
  package var onArrival: (() -> Void)?

  /// More than any transcript takes; what a device sends beyond is not kept.
  private static let capacity = 100_000

  package init() {}

  package func append(_ arrival: Arrival) {
    count += 1
    newsCount += 1
    if arrivals.count < Self.capacity { arrivals.append(arrival) }
    onArrival?()
  }

  package func append(_ remark: Remark) {
    newsCount += 1
    if remarks.count < Self.capacity { remarks.append(remark) }
  }

  /// Takes out the arrival that a line that waits for `source` has to look at.
  ///
  /// - Parameter inOrder: whether that is the first one, wherever it has come from.
  package func take(for source: Arrival.Source, inOrder: Bool) -> Arrival? {
    let index = inOrder ? arrivals.indices.first : arrivals.firstIndex { $0.source.isOrdered(with: source) }
    return index.map { arrivals.remove(at: $0) }
  }

  /// Lets go of those that no line has to take.
  package func remove(where isMeant: (Arrival) -> Bool) { arrivals.removeAll(where: isMeant) }

  /// Takes out all that has come.
  package func takeArrivals() -> [Arrival] {
    defer { arrivals = [] }
    return arrivals
  }

  package func takeRemarks() -> [Remark] {
    defer { remarks = [] }
    return remarks
  }

  package func clear() {
    arrivals = []
    remarks = []
  }
}

extension Arrival.Source {
  /// Whether the two come in the order in which they left, on every test bed.
  fileprivate func isOrdered(with other: Self) -> Bool {
    switch (self, other) {
    case (.wire, .wire): true
    case (.wire, _), (_, .wire): false
    case (.disconnection, _), (_, .disconnection): true
    case (.characteristic(let one), .characteristic(let other)): one == other
    }
  }
}

/// Keeps what a device says of itself.
@EventLoop
package final class RemarkSink: TrafficSink {
  private let inbox: Inbox

  package init(_ inbox: Inbox) {
    self.inbox = inbox
  }

  package func take(_ event: TrafficEvent) {
    switch event.kind {
    case .log(let text): remark("* \(text)", event.time)
    case .warning(let text, let attribute, let bytes):
      let about = attribute.map { "\($0)  \(ValueText.write(bytes))  " } ?? ""
      remark("! \(about)\(text)", event.time)
    case .error(let text): remark("! error: \(text)", event.time)
    default: break
    }
  }

  private func remark(_ text: String, _ time: Instant) { inbox.append(Inbox.Remark(time: time, text: text)) }
}
