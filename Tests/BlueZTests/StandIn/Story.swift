import EventLoop
import Framing
import Peripheral
import Testing

/// What has happened, line by line, on all sides of a test.
@EventLoop
final class Story {
  private var lines: [String] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  /// Against hanging only.
  private var timer: EventLoop.Timer?

  func add(_ line: String) {
    lines.append(line)
    if let waiting, lines.count >= waiting.count { resume() }
  }

  /// Waits for as many lines as these and expects these; the next call begins after them.
  func expect(_ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
    await expect(expected, sourceLocation: sourceLocation)
  }

  func expect(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) async {
    await withCheckedContinuation { continuation in
      guard lines.count < expected.count else { return continuation.resume() }
      waiting = (expected.count, continuation)
      timer = EventLoop.after(.seconds(60)) { [weak self] in self?.resume() }
    }
    #expect(lines == expected, sourceLocation: sourceLocation)
    lines = []
  }

  private func resume() {
    timer = nil
    let continuation = waiting?.continuation
    waiting = nil
    continuation?.resume()
  }
}

/// A clock that stands still: each pause is a line of the story, if it has one, and the test ends the last.
@EventLoop
final class StoryScheduler: Scheduler {
  private final class Pause {
    let body: @EventLoop () -> Void
    init(_ body: @escaping @EventLoop () -> Void) { self.body = body }
  }

  private(set) var now = Instant()
  private let story: Story?
  private weak var pause: Pause?
  private var end = Instant()

  init(_ story: Story? = nil) { self.story = story }

  func schedule(at instant: Instant, _ body: @escaping @EventLoop () -> Void) -> AnyObject {
    let new = Pause(body)
    (pause, end) = (new, instant)
    story?.add("pause \(now.duration(to: instant).wholeMilliseconds) ms")
    return new
  }

  /// Ends the pause.
  func elapse() {
    now = end
    pause?.body()
  }
}
