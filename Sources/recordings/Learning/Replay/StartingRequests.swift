import Bluetooth
import Framing

/// The requests that rules of a model answer, and after which values that no rule explains began each time to come from another
/// characteristic.
struct StartingRequests {
  private(set) var triggers: Set<RecordedTrigger> = []

  /// What begins later follows something else.
  private static let patience = Duration.seconds(2)
  /// A characteristic that has just sent a value may send the next one by itself, but not so soon.
  private static let shortPatience = Duration.milliseconds(100)

  /// What came after a request, up to the next one.
  private struct Window {
    var request: RecordedTrigger?
    var time: Instant
    /// By the handle of the characteristic's value: when the first value came, and how many did.
    var sent: [AttributeHandle: (first: Instant, count: Int)] = [:]
  }

  private var counts: [RecordedTrigger: Int] = [:]
  /// How often values from a characteristic began after it.
  private var effects: [RecordedTrigger: [AttributeHandle: Int]] = [:]

  init(_ conversations: [Conversation], _ table: ObservedTable, except explained: Set<AttributeHandle>) {
    for conversation in conversations { add(conversation, table, explained) }
    triggers = Set(counts.filter { effects[$0.key]?.values.contains($0.value) == true }.keys)
  }

  private mutating func add(
    _ conversation: Conversation, _ table: ObservedTable, _ explained: Set<AttributeHandle>
  ) {
    var subscribed: Set<AttributeHandle> = []
    var before = Window(time: conversation.start ?? Instant())
    var window = before
    func isExplained(_ request: RecordedTrigger) -> Bool {
      if case .write(_, let handle) = request { explained.contains(handle) } else { false }
    }
    for exchange in conversation.exchanges {
      if case .value = exchange.kind, !explained.contains(exchange.handle) {
        window.sent[exchange.handle, default: (exchange.time, 0)].count += 1
      }
      if case .write(_, _, .refused) = exchange.kind { continue }
      guard let request = RecordedTrigger(exchange, table, &subscribed) else { continue }
      close(window, after: before, isExplained)
      (before, window) = (window, Window(request: request, time: exchange.time))
    }
    close(window, after: before, isExplained)
  }

  private mutating func close(
    _ window: Window, after before: Window, _ isExplained: (RecordedTrigger) -> Bool
  ) {
    guard let request = window.request, isExplained(request) else { return }
    counts[request, default: 0] += 1
    for (handle, sent) in window.sent {
      let earlier = before.sent[handle]?.count ?? 0
      let patience = earlier == 0 ? Self.patience : Self.shortPatience
      if earlier <= 1, window.time.duration(to: sent.first) <= patience {
        effects[request, default: [:]][handle, default: 0] += 1
      }
    }
  }
}
