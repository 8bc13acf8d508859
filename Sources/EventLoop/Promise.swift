/// A value that comes once, and the task that waits for it, whichever is first. The first value counts.
@EventLoop
package final class Promise<Value: Sendable> {
  private var result: Value?
  private var continuation: CheckedContinuation<Value, Never>?

  package init() {}

  /// Whether the value has come.
  package var isFulfilled: Bool { result != nil }

  package func fulfil(_ value: Value) {
    guard result == nil else { return }
    result = value
    continuation?.resume(returning: value)
    continuation = nil
  }

  /// The value; one task at a time may wait for it.
  package func value() async -> Value {
    await withCheckedContinuation { continuation in
      // Looked up here and not before: the loop may turn on the way into a continuation.
      if let result { continuation.resume(returning: result) } else { self.continuation = continuation }
    }
  }
}

extension Promise where Value == Void {
  package func fulfil() { fulfil(()) }
}
