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
    switch step.action {
    case .connect, .disconnect, .onLink, .unpair, .closeChannel, .serve, .tell, .transmit, .sendPDU,
      .putIntoWire,
      .control, .addFault, .removeFault, .removeFaults:
      if case .connect = step.action {
        forgetRepetitions()
        if outcome != .paired(bonded: true) { outcome = nil }
        connectionFailure = isRefusalExpected ? testBed.connectionFailure : nil
        if connectionFailure != nil { return begin(step) }
      }
      if case .unpair = step.action { outcome = nil }
      _ = try await act(step)
    case .pair(let request): try await pair(request, step, isFailureExpected: isRefusalExpected)
    case .subscribe, .unsubscribe, .openChannel, .write, .read:
      response = try await act(step)
      if case .refused(let error) = response, !isRefusalExpected {
        record.markFailure("! \(error.name)")
        throw Problem.refused(error, isPaired: isPaired)
      }
    case .wait(let duration): try await wait(duration, step)
    case .silence(let duration): try await silence(duration, step)
    case .expect, .expectTrue, .expectRefusal, .expectNoConnection, .expectPairingFailure, .expectRead,
      .expectFound,
      .expectAdvertising, .expectNoAdvertising:
      try await expect(step)
    }
  }

  private var isPaired: Bool { if case .paired = outcome { true } else { false } }

  private func pair(_ request: PairingRequest, _ step: Step, isFailureExpected: Bool) async throws {
    begin(step)
    let outcome = try await failing { try await testBed.pair(request) }
    self.outcome = outcome
    let problem: Problem? =
      switch outcome {
      case .failed(let failure) where !isFailureExpected: .pairingFailed(failure)
      case .paired(bonded: false) where request.bonds: .notBonded
      default: nil
      }
    guard let problem else { return }
    record.markFailure()
    throw problem
  }

  private func begin(_ step: Step) {
    set(mark: testBed.now, step)
    record.begin(step, at: testBed.now, record.text(of: step))
  }

  private func act(_ step: Step) async throws -> Response {
    begin(step)
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
