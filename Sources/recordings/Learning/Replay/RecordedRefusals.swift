import Bluetooth

/// The refused writes to values that follow a rule whatever came before on the connection.
struct RecordedRefusals: Sendable {
  struct Request: Hashable, Sendable {
    var value: [UInt8]
    var handle: AttributeHandle
  }

  /// By request: the error with which the device has refused it each time, in the order of their first occurrence.
  private(set) var always: [(request: Request, error: ATTError)] = []
  /// By the handle of the value: the error of each write before the central has subscribed to the same characteristic.
  private(set) var unsubscribed: [AttributeHandle: ATTError] = [:]

  /// The characteristics of which the device has refused a write after some requests only, by the handles of their values.
  private(set) var handles: Set<AttributeHandle> = []

  init(_ conversations: [Conversation], _ table: ObservedTable) {
    var order: [Request] = []
    var results: [Request: [Result]] = [:]
    for conversation in conversations {
      var subscribed = Set(conversation.earlierSubscriptions(in: table).map(\.handle))
      for exchange in conversation.exchanges {
        guard case .write(let value, let handle)? = RecordedTrigger(exchange, table, &subscribed),
          case .write(_, _, let outcome) = exchange.kind
        else { continue }
        let request = Request(value: value, handle: handle)
        if results[request] == nil { order.append(request) }
        let error: ATTError? = if case .refused(let error) = outcome { error } else { nil }
        results[request, default: []].append(Result(error: error, isSubscribed: subscribed.contains(handle)))
      }
    }
    for handle in order.map(\.handle).distinct {
      let all = results.filter { $0.key.handle == handle }.flatMap(\.value)
      unsubscribed[handle] = Self.errorBeforeSubscription(all)
    }
    for request in order {
      let errors = (results[request] ?? []).filter { $0.isSubscribed || unsubscribed[request.handle] == nil }
        .map(\.error)
      if let first = errors.first, let error = first, Set(errors).count == 1 {
        always.append((request, error))
      } else if errors.contains(where: { $0 != nil }) {
        handles.insert(request.handle)
      }
    }
  }

  private struct Result: Hashable {
    var error: ATTError?
    var isSubscribed: Bool
  }

  /// The error of all writes without a subscription, if a subscription made the device grant one.
  private static func errorBeforeSubscription(_ results: [Result]) -> ATTError? {
    let before = results.filter { !$0.isSubscribed }
    guard let error = before.first?.error, before.allSatisfy({ $0.error == error }),
      results.contains(where: { $0.isSubscribed && $0.error == nil })
    else { return nil }
    return error
  }

  /// Whether the refusal of a request follows one of the rules.
  func explain(_ trigger: RecordedTrigger, isSubscribed: Bool) -> Bool {
    guard case .write(let value, let handle) = trigger else { return false }
    if !isSubscribed, unsubscribed[handle] != nil { return true }
    return always.contains { $0.request == Request(value: value, handle: handle) }
  }
}
