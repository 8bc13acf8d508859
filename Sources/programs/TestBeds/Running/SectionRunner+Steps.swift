import Behavior
import Bluetooth
import EventLoop
import Framing
import Peripheral
import Transcripts

/// Performs the actions of the central and the wire side, and lets time pass.
extension SectionRunner {
  func perform(_ step: Step, isRefusalExpected: Bool) async throws {
    record.take(testBed.inbox.takeRemarks())
    try testBed.take(part: step.central)
    switch step.action {
    case .wait(let duration): try await wait(duration, step)
    case .silence(let duration): try await silence(duration, step)
    case let action where action.isExpectation: try await expect(step)
    default: try await act(step, isRefusalExpected)
    }
  }

  private func act(_ step: Step, _ isRefusalExpected: Bool) async throws {
    switch step.action {
    case .connect where step.central == nil:
      forgetRepetitions()
      if outcome != .paired(bonded: true) { outcome = nil }
    case .unpair: outcome = nil
    default: break
    }
    begin(step)
    let effect = try await failing {
      try checkLimit(of: step.action)
      return try await testBed.perform(step.action, isRefusalExpected: isRefusalExpected)
    }
    self.effect = effect
    if case .pairing(let outcome) = effect { self.outcome = outcome }
    switch (effect, step.action) {
    case (.response(.refused(let error, _)), _) where !isRefusalExpected:
      record.markFailure("! \(error.name)")
      throw Problem.refused(error, isPaired: isPaired)
    case (.pairing(.failed(let failure)), _) where !isRefusalExpected:
      throw self.failure(.pairingFailed(failure))
    case (.pairing(.paired(bonded: false)), .pair(let request)) where request.bonds:
      throw failure(.notBonded)
    default: break
    }
  }

  private var isPaired: Bool { if case .paired = outcome { true } else { false } }

  private func begin(_ step: Step) {
    set(mark: testBed.now, step.line)
    record.begin(step, at: testBed.now, record.text(of: step))
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

  func set(mark instant: Instant, _ line: Int) {
    (mark, markedLine) = (instant, line)
  }
}

// MARK: Time

extension SectionRunner {
  private func wait(_ duration: Duration, _ step: Step) async throws {
    record.begin(step, at: testBed.now, step.text)
    try await failing { try await pass(until: testBed.now.advanced(by: duration)) }
    set(mark: testBed.now, step.line)
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
    set(mark: testBed.now, step.line)
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
