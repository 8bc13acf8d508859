import EventLoop
import Framing
import Peripheral
import Testing
import Transcripts

@testable import RadioStage

/// What has come before somebody begins to wait is not waited for.
@Suite struct WaitTests {
  /// So far away that only a wait that has missed what it waited for gets there.
  @EventLoop private let end = Instant(microseconds: EventLoop.now).advanced(by: .seconds(600))

  @EventLoop @Test func aValueThatCameBeforeTheWaitEndsIt() async throws {
    let stage = BlueZStage(.named("hci0"), central: .named("hci1"))
    let count = stage.inbox.count
    stage.inbox.append(Arrival(at: stage.now, from: .wire, [1]))
    try await stage.wait(until: end, past: count, includingEnd: true)
    #expect(stage.now < end)
  }

  @EventLoop @Test func aValueThatComesLaterEndsIt() async throws {
    let stage = BlueZStage(.named("hci0"), central: .named("hci1"))
    let timer = EventLoop.Timer { stage.inbox.append(Arrival(at: stage.now, from: .wire, [1])) }
    timer.fire(at: EventLoop.now + 10_000)
    try await stage.wait(until: end, past: 0, includingEnd: true)
    #expect(stage.now < end)
  }

  @EventLoop @Test func anInterruptionEndsIt() async throws {
    let stage = BlueZStage(.named("hci0"), central: .named("hci1"))
    stage.interrupt()
    await #expect(throws: StageError("interrupted")) {
      try await stage.wait(until: end, past: 0, includingEnd: true)
    }
  }

  @EventLoop @Test func newsThatComeWhileTheConditionIsAskedForAreNotMissed() async {
    let news = News()
    var asked = 0
    await news.wait(until: end) {
      asked += 1
      if asked == 1 { news.come() }
      return asked == 2
    }
    #expect(asked == 2)
    #expect(Instant(microseconds: EventLoop.now) < end)
  }

  @EventLoop @Test func itEndsAtItsTime() async {
    let news = News()
    let end = EventLoop.now + 10_000
    await news.wait(for: .milliseconds(10)) { false }
    #expect(EventLoop.now >= end)
  }
}
