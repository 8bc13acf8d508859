import EventLoop
import Framing
import Loopback
import Testing

@testable import Peripheral

@Suite struct SchedulerTests {
  @EventLoop @Test func `a call is performed again at the instant to which it is moved`() {
    let scheduler = ManualScheduler()
    var instants: [Instant] = []
    let call = scheduler.schedule(at: .milliseconds(10)) { instants.append(scheduler.now) }
    #expect(scheduler.move(call, to: .milliseconds(20)))
    scheduler.advance(by: .milliseconds(30))
    #expect(instants == [.milliseconds(20)])
    #expect(scheduler.move(call, to: .milliseconds(40)))
    scheduler.advance(by: .milliseconds(30))
    #expect(instants == [.milliseconds(20), .milliseconds(40)])
  }

  @EventLoop @Test func `the loop performs a call again`() async {
    let scheduler = EventLoopScheduler()
    let ends = [Promise<Void>(), Promise<Void>()]
    var count = 0
    let call = scheduler.schedule(at: scheduler.now) {
      ends[count].fulfil()
      count += 1
    }
    await ends[0].value()
    #expect(scheduler.move(call, to: scheduler.now))
    await ends[1].value()
    #expect(count == 2)
  }
}
