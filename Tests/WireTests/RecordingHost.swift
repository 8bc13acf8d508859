import Behavior
import EventLoop
import Peripheral
import Testing

/// Records the bytes, events and warnings of an attachment, and lets a test wait for a number of them.
@EventLoop
final class RecordingHost: WireHost {
  private(set) var bytes: [UInt8] = []
  private(set) var warnings: [String] = []
  private(set) var events: [WireEvent] = []
  private var waiting: (condition: () -> Bool, continuation: CheckedContinuation<Bool, Never>)?

  func receiveFromWire(_ bytes: [UInt8]) {
    self.bytes += bytes
    check()
  }

  func warn(_ message: String) {
    warnings.append(message)
    check()
  }

  private(set) var progress = 0

  func wireTookBytes() { progress += 1 }

  func report(_ event: WireEvent) {
    events.append(event)
    check()
  }

  /// Waits for this many events and returns all of them.
  func events(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async -> [WireEvent] {
    await wait(sourceLocation) { self.events.count >= count }
    return events
  }

  /// Waits for this many bytes and returns all of them.
  func bytes(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async -> [UInt8] {
    await wait(sourceLocation) { self.bytes.count >= count }
    return bytes
  }

  /// Waits for this many warnings and returns all of them.
  func warnings(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async -> [String] {
    await wait(sourceLocation) { self.warnings.count >= count }
    return warnings
  }

  private func wait(_ sourceLocation: SourceLocation, until condition: @escaping () -> Bool) async {
    guard !condition() else { return }
    let limit = EventLoop.after(.seconds(60)) { [weak self] in self?.resume(false) }
    let isInTime = await withCheckedContinuation { waiting = (condition, $0) }
    limit.cancel()
    #expect(isInTime, "the wait took more than a minute", sourceLocation: sourceLocation)
  }

  private func check() {
    if waiting?.condition() == true { resume(true) }
  }

  private func resume(_ isInTime: Bool) {
    waiting?.continuation.resume(returning: isInTime)
    waiting = nil
  }
}
