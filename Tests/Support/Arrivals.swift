import EventLoop

/// Values that arrive one by one and can be awaited, each time within a minute.
@EventLoop
package final class Arrivals<Value: Sendable> {
  package private(set) var values: [Value] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  package init() {}

  package func add(_ value: Value) {
    values.append(value)
    if let waiting, values.count >= waiting.count { resume() }
  }

  /// All values, as soon as there are so many.
  package func wait(for count: Int = 1) async throws -> [Value] {
    let limit = EventLoop.after(.seconds(60)) { [weak self] in self?.resume() }
    await withCheckedContinuation { continuation in
      guard values.count < count else { return continuation.resume() }
      waiting = (count, continuation)
    }
    limit.cancel()
    guard values.count >= count else { throw TooFew(values: "\(values)", count: count) }
    return values
  }

  private func resume() {
    waiting?.continuation.resume()
    waiting = nil
  }
}

private struct TooFew: Error {
  /// What came within a minute.
  var values: String
  var count: Int
}

/// What an operation throws, `nil` for nothing.
@EventLoop
package func error<Failure: Error>(
  of operation: @EventLoop () async throws(Failure) -> Void
) async -> Failure? {
  do {
    try await operation()
    return nil
  } catch {
    return error
  }
}
