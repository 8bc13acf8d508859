import Framing
import TestSupport
import Testing

@testable import Behavior

/// Event loops are late now and then.
@Suite struct TimerDriftTests {
  /// When a timer of 10 ms is set to run out, if it is noticed so late (in µs) each time.
  static func dueTimes(lateness: [Int64]) throws -> [Int64] {
    var conversation = try Conversation(
      definition(
        """
        rules:
          - { on: start, do: { start: tick, every: 10ms } }
          - { on: { timer: tick }, do: { log: tick } }
        services:
          - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
        """))
    var actions = conversation.engine.handle(.started, at: Instant()).actions
    var times: [Int64] = []
    for late in lateness {
      guard case .startTimer(let timer, let due)? = actions.first else { break }
      times.append(due.microseconds)
      let now = Instant(microseconds: due.microseconds + late)
      actions = conversation.engine.handle(.timerFired(timer), at: now).actions
      #expect(actions.last == .remark(.logged("tick")))
    }
    return times
  }

  @Test func `lateness does not add up`() throws {
    let times = try Self.dueTimes(lateness: [900, 9_999, 0, 5_000, 1])
    #expect(times == [10_000, 20_000, 30_000, 40_000, 50_000])
  }

  @Test func `missed times are skipped, and the period stays`() throws {
    let times = try Self.dueTimes(lateness: [35_400, 10_000, 0, 1_000_001, 0])
    #expect(times == [10_000, 50_000, 70_000, 80_000, 1_090_000])
  }
}
