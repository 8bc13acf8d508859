import EventLoop
import Framing
import Peripheral
import Testing
import Transcripts

@testable import TestBeds

/// An event from before the wait ends it at once.
@Suite struct WaitTests {
  /// So far away that only a wait that has missed its event reaches it.
  @EventLoop private let end = Instant(microseconds: EventLoop.now).advanced(by: .seconds(600))

  /// These tests have no device.
  @EventLoop private static func makeTestBed() -> AirTestBed {
    let central = KernelCentral(.first) { _ in preconditionFailure() }
    return AirTestBed(central: central) { preconditionFailure() }
  }

  @EventLoop @Test func aValueThatCameBeforeTheWaitEndsIt() async throws {
    let testBed = Self.makeTestBed()
    let count = testBed.inbox.count
    testBed.inbox.append(Arrival(at: testBed.now, from: .place(.wire), [1]))
    try await testBed.wait(until: end, past: count, includingEnd: true)
    #expect(testBed.now < end)
  }

  @EventLoop @Test func aValueThatComesLaterEndsIt() async throws {
    let testBed = Self.makeTestBed()
    let timer = EventLoop.Timer { testBed.inbox.append(Arrival(at: testBed.now, from: .place(.wire), [1])) }
    timer.fire(at: EventLoop.now + 10_000)
    try await testBed.wait(until: end, past: 0, includingEnd: true)
    #expect(testBed.now < end)
  }

  @EventLoop @Test func anInterruptionEndsIt() async throws {
    let testBed = Self.makeTestBed()
    testBed.interrupt()
    await #expect(throws: TestBedError("interrupted")) {
      try await testBed.wait(until: end, past: 0, includingEnd: true)
    }
  }
}
