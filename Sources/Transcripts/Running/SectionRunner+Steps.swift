import Behavior
import EventLoop
import Framing
import Peripheral

/// Performs the actions of the central and the wire side, and lets time pass.
extension SectionRunner {
  func perform(_ step: Step, isRefusalExpected: Bool) async throws {
    record.take(testBed.inbox.takeRemarks())
    switch step.action {
    case .connect, .disconnect, .sendPDU, .putIntoWire:
      if case .connect = step.action { forgetRepetitions() }
      _ = try await act(step)
    case .subscribe, .unsubscribe, .write, .read:
      response = try await act(step)
      if case .refused(let error) = response, !isRefusalExpected {
        record.markFailure("! \(error.name)")
        throw Problem.refused(error)
      }
    case .wait(let duration): try await wait(duration, step)
    case .silence(let duration): try await silence(duration, step)
    case .expect, .expectRefusal, .expectRead, .expectFound, .expectAdvertising, .expectNoAdvertising:
      try await expect(step)
    }
  }

  private func act(_ step: Step) async throws -> Response {
    set(mark: testBed.now, step)
    record.begin(step, at: testBed.now, record.text(of: step))
    return try await failing {
      try checkLimit(of: step.action)
      return try await testBed.perform(step.action)
    }
  }

  private func checkLimit(of action: Step.Action) throws(TestBedError) {
    guard case .write(let value, _, .command) = action, value.count > testBed.maximumValue else { return }
    throw TestBedError(
      "a write command carries at most \(testBed.maximumValue) bytes on this link, not \(value.count)")
  }

  /// Performs an action, and marks the line as failed if it throws.
  func failing<T: Sendable>(_ body: @EventLoop () async throws -> T) async throws -> T {
    do { return try await body() } catch {
      record.markFailure()
      throw error
    }
  }

  func set(mark instant: Instant, _ step: Step) {
    (mark, markedLine) = (instant, step.line)
  }
}

// MARK: Time

extension SectionRunner {
  private func wait(_ duration: Duration, _ step: Step) async throws {
    record.begin(step, at: testBed.now, step.text)
    try await failing { try await pass(until: testBed.now.advanced(by: duration)) }
    set(mark: testBed.now, step)
  }

  /// Lets time pass up to and including an instant.
  func pass(until end: Instant) async throws {
    var count = -1
    while testBed.now < end || testBed.inbox.count > count {
      count = testBed.inbox.count
      try await testBed.wait(until: end, past: count, includingEnd: true)
    }
  }

  private func silence(_ duration: Duration, _ step: Step) async throws {
    let end = testBed.now.advanced(by: duration)
    record.begin(step, at: testBed.now, step.text)
    try await endRepetition(until: end)
    while testBed.now < end {
      let count = testBed.inbox.count
      try expectNothing()
      try await failing { try await testBed.wait(until: end, past: count, includingEnd: false) }
    }
    try expectNothing()
    set(mark: testBed.now, step)
  }

  /// Waits for repetitions that are still on their way, and allows none after them.
  private func endRepetition(until end: Instant) async throws {
    guard !repeated.isEmpty else { return }
    let settling = testBed.timing.settling + testBed.timing.answer * 10
    try await failing { try await pass(until: min(end, testBed.now.advanced(by: settling))) }
    forgetRepetitions()
  }

  private func forgetRepetitions() {
    testBed.inbox.remove(where: isRepeated)
    repeated = [:]
  }
}
