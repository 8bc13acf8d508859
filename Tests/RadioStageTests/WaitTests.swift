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
}
