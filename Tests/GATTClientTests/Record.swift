import EventLoop
import Testing

/// What has happened, as lines; a test waits until there are enough.
@EventLoop
final class Record {
  private(set) var lines: [String] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Bool, Never>)?

  func add(_ line: String) {
    lines.append(line)
    if let waiting, lines.count >= waiting.count { resume(true) }
  }

  /// All lines, as soon as there are so many.
  func lines(_ count: Int, _ sourceLocation: SourceLocation = #_sourceLocation) async -> [String] {
    let limit = EventLoop.after(.seconds(60)) { [weak self] in self?.resume(false) }
    let isInTime = await withCheckedContinuation { continuation in
      if lines.count >= count {
        continuation.resume(returning: true)
      } else {
        waiting = (count, continuation)
      }
    }
    limit.cancel()
    #expect(isInTime, "nothing more came for a minute", sourceLocation: sourceLocation)
    return lines
  }

  private func resume(_ isInTime: Bool) {
    waiting?.continuation.resume(returning: isInTime)
    waiting = nil
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
