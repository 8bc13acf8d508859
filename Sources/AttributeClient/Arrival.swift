import EventLoop

/// Where a value meets the task that waits for it, whichever comes first. The first value counts.
@EventLoop
final class Arrival<Value: Sendable> {
  private var value: Value?
  private var continuation: CheckedContinuation<Value, Never>?

  func arrive(_ value: Value) {
    guard self.value == nil else { return }
    self.value = value
    continuation?.resume(returning: value)
    continuation = nil
  }

  /// The value; to be asked for once.
  func wait() async -> Value {
    await withCheckedContinuation { continuation in
      // Asked here and not before: the way into a continuation may take a turn of the loop.
      if let value { continuation.resume(returning: value) } else { self.continuation = continuation }
    }
  }
}
