import EventLoop
import Framing
import Peripheral
import Testing

@testable import ControlServer
import Behavior

@Suite struct JournalTests {
  @EventLoop private func event(_ kind: TrafficEvent.Kind) -> TrafficEvent {
    TrafficEvent(time: Instant(), kind: kind)
  }

  @Test @EventLoop func `events are numbered from 1`() {
    let journal = Journal()
    #expect((journal.first, journal.last) == (1, 0))
    for number in 1...5 { journal.take(event(.log("\(number)"))) }
    #expect((journal.first, journal.last) == (1, 5))
    #expect(journal.entries(after: 0).map(\.number) == [1, 2, 3, 4, 5])
    #expect(journal.entries(after: 3).map(\.number) == [4, 5])
    #expect(journal.entries(after: 1, most: 2).map(\.number) == [2, 3])
    #expect(journal.entries(after: 5).isEmpty)
    #expect(journal.entries(after: .max).isEmpty)
  }

  @Test @EventLoop func `the first events are forgotten beyond a number`() {
    let journal = Journal()
    for number in 1...25_000 { journal.take(event(.log("\(number)"))) }
    #expect((journal.first, journal.last) == (15_001, 25_000))
    #expect(journal.entries(after: 0).first?.event.kind == .log("15001"))
    #expect(journal.entries(after: 24_999).map(\.event.kind) == [.log("25000")])
  }

  @Test @EventLoop func `the first events are forgotten beyond a size`() {
    let journal = Journal()
    for _ in 1...100 { journal.take(event(.wireIn(Array(repeating: 0, count: 1 << 20)))) }
    #expect((journal.first, journal.last) == (94, 100))
  }
}
