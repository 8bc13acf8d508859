/// A value that is set once, before or after a task begins to wait for it. Only the first value counts.
@EventLoop
package final class Promise<Value: Sendable> {
  private var result: Value?
  private var continuation: CheckedContinuation<Value, Never>?

  package init() {}

  /// Whether the value is set.
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
      // Checked only here: the loop may run other jobs before the continuation exists.
      if let result { continuation.resume(returning: result) } else { self.continuation = continuation }
    }
  }
}

extension Promise where Value == Void {
  package func fulfil() { fulfil(()) }
}
