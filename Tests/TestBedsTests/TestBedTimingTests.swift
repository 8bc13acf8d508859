import Testing
import Transcripts

@testable import TestBeds

/// The tolerances of a test bed's time.
@Suite struct TestBedTimingTests {
  @Test(
    arguments: [
      (1000, 450...3000), (0, 0...2000), (500, 100...2500), (10, 0...2010),
    ] as [(Int, ClosedRange<Int>)])
  func `on the air a value may be early or late`(after: Int, window: ClosedRange<Int>) {
    let found = TestBedTiming.real().window(of: .milliseconds(after), from: .place(.wire))
    #expect(found == .milliseconds(window.lowerBound)...Duration.milliseconds(window.upperBound))
  }

  @Test func `a slow machine may be late by ten answers and early by two`() {
    let found = TestBedTiming.real(answer: .milliseconds(300)).window(
      of: .milliseconds(2000), from: .place(.wire))
    #expect(found == .milliseconds(550)...Duration.milliseconds(7000))
  }

  @Test func `a value may arrive before a request that waited for other answers`() {
    let found = TestBedTiming.real(answer: .milliseconds(600)).window(
      of: .milliseconds(10), from: .place(.wire))
    #expect(found.lowerBound == .milliseconds(-1200))
  }

  @Test func `the end of a connection may be later because bluetoothd waits`() {
    let found = TestBedTiming.real().window(of: .milliseconds(500), from: .disconnection)
    #expect(found == .milliseconds(100)...Duration.milliseconds(5500))
  }

  @Test(arguments: [Arrival.Source.place(.wire), .disconnection, .place(.characteristic(0))])
  func `in memory there is no tolerance`(source: Arrival.Source) {
    let found = TestBedTiming.virtual.window(of: .milliseconds(300), from: source)
    #expect(found == .milliseconds(300)...Duration.milliseconds(300))
    #expect(TestBedTiming.virtual.lateness(of: source) == .zero)
  }
}

extension TestBedTiming {
  fileprivate func window(of duration: Duration, from source: Arrival.Source) -> ClosedRange<Duration> {
    window(of: duration...duration, from: source)
  }
}
