import Testing

@testable import EventLoop

/// A change before a task begins to wait is not missed.
@Suite struct WaitingTests {
  /// So far away that only a wait that has missed its event reaches it.
  private static let forever = Duration.seconds(600)

  @EventLoop @Test func `a change while the condition is evaluated is not missed`() async {
    let condition = Condition()
    let start = EventLoop.now
    var evaluations = 0
    let holds = await condition.wait(for: Self.forever) {
      evaluations += 1
      if evaluations == 1 { condition.signal() }
      return evaluations == 2
    }
    #expect(holds)
    #expect(EventLoop.now - start < Self.forever.microseconds)
  }

  @EventLoop @Test func `waiting for a condition that never becomes true ends at the limit`() async {
    let condition = Condition()
    let end = EventLoop.now + 10_000
    #expect(await condition.wait(for: .milliseconds(10), until: { false }) == false)
    #expect(EventLoop.now >= end)
  }

  @EventLoop @Test(arguments: [true, false])
  func `the first value counts, before the wait or after its begin`(isEarly: Bool) async {
    let promise = Promise<Int>()
    #expect(!promise.isFulfilled)
    if isEarly { promise.fulfil(1) } else { Task { @EventLoop in promise.fulfil(1) } }
    #expect(await promise.value() == 1)
    promise.fulfil(2)
    #expect(promise.isFulfilled)
    #expect(await promise.value() == 1)
  }
}
