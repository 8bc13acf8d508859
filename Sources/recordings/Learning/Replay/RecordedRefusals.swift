import Bluetooth

/// The refused writes to values and descriptors that follow a rule whatever came before on the connection.
struct RecordedRefusals: Sendable {
  private struct Request: Hashable {
    var value: [UInt8]
    var handle: AttributeHandle
  }

  /// The errors with which the device has refused requests each time, in the order of their first occurrence. Without a value: it
  /// has refused all writes to a descriptor alike.
  private(set) var always: [(handle: AttributeHandle, value: [UInt8]?, error: ATTError)] = []
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
        _ = RecordedTrigger(exchange, table, &subscribed)
        guard case .write(let value, _, let outcome) = exchange.kind else { continue }
        let request = Request(value: value, handle: exchange.handle)
        if results[request] == nil { order.append(request) }
        let error: ATTError? = if case .refused(let error) = outcome { error } else { nil }
        // A subscription decides nothing about descriptors.
        let isSubscribed =
          subscribed.contains(exchange.handle) || table.descriptor(at: exchange.handle) != nil
        results[request, default: []].append(Result(error: error, isSubscribed: isSubscribed))
      }
    }
    for handle in order.map(\.handle).distinct {
      let all = results.filter { $0.key.handle == handle }.flatMap(\.value)
      unsubscribed[handle] = Self.errorBeforeSubscription(all)
    }
    for handle in order.map(\.handle).distinct where table.descriptor(at: handle) != nil {
      let errors = Set(results.filter { $0.key.handle == handle }.flatMap(\.value).map(\.error))
      if errors.count == 1, let first = errors.first, let error = first {
        always.append((handle, nil, error))
      }
    }
    for request in order where !always.contains(where: { $0.handle == request.handle && $0.value == nil }) {
      let errors = (results[request] ?? []).filter { $0.isSubscribed || unsubscribed[request.handle] == nil }
        .map(\.error)
      if let first = errors.first, let error = first, Set(errors).count == 1 {
        always.append((request.handle, request.value, error))
      } else if errors.contains(where: { $0 != nil }), table.descriptor(at: request.handle) == nil {
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
    return always.contains { $0.handle == handle && $0.value == value }
  }
}
