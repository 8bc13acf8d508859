import EventLoop
import Testing

/// Values that arrive one by one and can be awaited, each within a minute.
@EventLoop
final class Arrivals<Value: Sendable> {
  private(set) var values: [Value] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Bool, Never>)?
  private var timer: EventLoop.Timer?

  func add(_ value: Value) {
    values.append(value)
    if let waiting, values.count >= waiting.count { resume(true) }
  }

  /// Waits until `count` values have come.
  func wait(for count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [Value] {
    let hasCome = await withCheckedContinuation { continuation in
      guard values.count < count else { return continuation.resume(returning: true) }
      timer = EventLoop.after(.seconds(60)) { self.resume(false) }
      waiting = (count, continuation)
    }
    timer = nil
    try #require(
      hasCome, "\(values.count) of \(count) values within 60 s", sourceLocation: sourceLocation)
    return values
  }

  private func resume(_ hasCome: Bool) {
    let continuation = waiting?.continuation
    waiting = nil
    continuation?.resume(returning: hasCome)
  }
}

/// What an operation throws, `nil` for nothing.
@EventLoop
func error<Failure: Error>(of operation: @EventLoop () async throws(Failure) -> Void) async -> Failure? {
  do {
    try await operation()
    return nil
  } catch {
    return error
  }
}
